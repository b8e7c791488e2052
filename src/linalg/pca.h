#pragma once

#include <cstdint>

#include "simd/table.h"

/// Principal axes of batches of small point sets in two or three dimensions: Puny et al. 2022,
/// Sec. 3.1. Everything inside is double, so float points at 1e6 with an extent of one are as good
/// as their representation. T is float or double; dim is 2 or 3, anything else throws
/// std::invalid_argument. Outputs must not overlap the inputs. Items do not influence each other:
/// a batch gives what its items give one by one.
namespace equiframe::kernels::inline linalg {

/// `count` sets of `n` points each. Points of weight zero are masked: whatever they hold, NaN
/// included, is ignored.
template <class T>
struct PointSets {
  const T* points;   ///< [count, n, stride]; the first `dim` numbers of a row are coordinates
  const T* weights;  ///< [count, n], non-negative; null = all one
  std::int64_t count, n;
  std::int64_t stride;  ///< numbers from one point to the next, >= dim
  std::int64_t dim;
};

enum class Centre {
  kMean,    ///< the weighted mean; the origin for a set without weight
  kOrigin,  ///< for groups that fix the origin
};

/// centre [count, d] and covariance [count, d, d] = sum_i w_i (x_i - c)(x_i - c)^T.
/// Sums are taken about a point close to the mean, found in a pass of its own where it has to be,
/// so nothing cancels.
template <class T>
void centred_moments(const PointSets<T>& sets, Centre centring, double* centre, double* covariance);

enum class Handedness {
  kBoth,       ///< all K = 2^d choices of signs: O(d)
  kRightOnly,  ///< the K = 2^(d-1) of determinant +1: SO(d)
};

/// K, see Handedness.
std::int64_t sign_choices(std::int64_t dim, Handedness handedness);

/// bases [count, K, d, d]: basis k is `axes` [count, d, d] with column j multiplied by -1 where bit
/// j of k is set. With kRightOnly bits speak for the first d - 1 columns, and the last column gets
/// the sign that makes the determinant positive.
template <class T>
void signed_bases(std::int64_t count, std::int64_t dim, const double* axes, Handedness handedness,
                  T* bases);

/// Results of `pca_frames`. Each may be null if it is not wanted.
template <class T>
struct PcaFrames {
  T* bases;        ///< [count, K, d, d], see signed_bases
  double* centre;  ///< [count, d]
  double* values;  ///< [count, d], ascending eigenvalues of the covariance
  double* axes;    ///< [count, d, d], column j belongs to values[j]
};

/// `centred_moments`, `eigh2` or `eigh3`, and `signed_bases` in one pass that stays in the cache.
template <class T>
void pca_frames(const PointSets<T>& sets, Centre centring, Handedness handedness,
                const PcaFrames<T>& frames);

/// Moments and bases in two and three dimensions.
template <class T>
struct PcaFunctions {
  using Moments = void(const PointSets<T>& sets, Centre centring, double* centre,
                       double* covariance);
  using Bases = void(std::int64_t count, const double* axes, Handedness handedness, T* bases);
  Moments* moments2;
  Moments* moments3;
  Bases* bases2;
  Bases* bases3;
};
using PcaKernels = BothPrecisions<PcaFunctions>;

}  // namespace equiframe::kernels::inline linalg
