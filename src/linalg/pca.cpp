#include "linalg/pca.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "linalg/dispatch.h"

namespace equiframe::kernels::inline linalg {
namespace {

constexpr std::int64_t kChunk = 64;  // sets whose covariances and axes stay in the first cache

void check_dimension(std::int64_t dim) {
  if (dim == 2 || dim == 3) return;
  throw std::invalid_argument("PCA kernels: dim must be 2 or 3, got " + std::to_string(dim));
}

template <class T>
void check(const PointSets<T>& sets) {
  check_dimension(sets.dim);
  if (sets.stride >= sets.dim && sets.count >= 0 && sets.n >= 0) return;
  throw std::invalid_argument("PCA kernels: need count >= 0, n >= 0 and stride >= dim, got count " +
                              std::to_string(sets.count) + ", n " + std::to_string(sets.n) +
                              ", stride " + std::to_string(sets.stride) + ", dim " +
                              std::to_string(sets.dim));
}

/// Sets [first, first + count) of `sets`.
template <class T>
PointSets<T> part(PointSets<T> sets, std::int64_t first, std::int64_t count) {
  sets.points += first * sets.n * sets.stride;
  if (sets.weights != nullptr) sets.weights += first * sets.n;
  sets.count = count;
  return sets;
}

template <class U>
void copy_if_wanted(const U* source, std::int64_t count, U* target) {
  if (target != nullptr) std::copy_n(source, count, target);
}

}  // namespace

template <class T>
void centred_moments(const PointSets<T>& sets, Centre centring, double* centre,
                     double* covariance) {
  check(sets);
  const Kernels<T>& table = kernels<T>();
  (sets.dim == 2 ? table.moments2 : table.moments3)(sets, centring, centre, covariance);
}

std::int64_t sign_choices(std::int64_t dim, Handedness handedness) {
  return std::int64_t{1} << (handedness == Handedness::kBoth ? dim : dim - 1);
}

template <class T>
void signed_bases(std::int64_t count, std::int64_t dim, const double* axes, Handedness handedness,
                  T* bases) {
  check_dimension(dim);
  const Kernels<T>& table = kernels<T>();
  (dim == 2 ? table.bases2 : table.bases3)(count, axes, handedness, bases);
}

template <class T>
void pca_frames(const PointSets<T>& sets, Centre centring, Handedness handedness,
                const PcaFrames<T>& frames) {
  check(sets);
  const bool plane = sets.dim == 2;
  const std::int64_t d = sets.dim;
  const std::int64_t per_set = sign_choices(d, handedness) * d * d;
  const auto moments = plane ? kernels<T>().moments2 : kernels<T>().moments3;
  const auto eigh = plane ? kernels<double>().eigh2 : kernels<double>().eigh3;
  const auto bases = plane ? kernels<T>().bases2 : kernels<T>().bases3;
  double centre[kChunk * 3], covariance[kChunk * 9], values[kChunk * 3], axes[kChunk * 9];
  for (std::int64_t first = 0; first < sets.count; first += kChunk) {
    const std::int64_t count = std::min(kChunk, sets.count - first);
    const auto at = [first](auto* base, std::int64_t size) {
      return base == nullptr ? nullptr : base + first * size;
    };
    moments(part(sets, first, count), centring, centre, covariance);
    eigh(count, covariance, values, axes);
    if (frames.bases != nullptr) bases(count, axes, handedness, at(frames.bases, per_set));
    copy_if_wanted(centre, count * d, at(frames.centre, d));
    copy_if_wanted(values, count * d, at(frames.values, d));
    copy_if_wanted(axes, count * d * d, at(frames.axes, d * d));
  }
}

template void centred_moments(const PointSets<float>&, Centre, double*, double*);
template void centred_moments(const PointSets<double>&, Centre, double*, double*);
template void signed_bases(std::int64_t, std::int64_t, const double*, Handedness, float*);
template void signed_bases(std::int64_t, std::int64_t, const double*, Handedness, double*);
template void pca_frames(const PointSets<float>&, Centre, Handedness, const PcaFrames<float>&);
template void pca_frames(const PointSets<double>&, Centre, Handedness, const PcaFrames<double>&);

}  // namespace equiframe::kernels::inline linalg
