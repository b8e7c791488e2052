#pragma once

#include <array>
#include <cstdint>

/// What planes through the nearest 8, 12, 16, ... points of a patch say about it and about each of
/// its points, and a curved surface through weighted points. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// Points of each scale; a patch with fewer takes all it has.
inline constexpr std::array<std::int64_t, 10> kPatchScales{8, 12, 16, 24, 32, 48, 64, 96, 128, 192};
inline constexpr std::int64_t kScales = static_cast<std::int64_t>(kPatchScales.size());

/// Of a point: direction x / |x| (3); |x|; for each scale h / (h + s), where h is its height over
/// the plane and s the scatter of the points about it.
inline constexpr std::int64_t kPointFeatures = 4 + kScales;
/// Of the patch, for each scale: the logarithm of scatter over extent; the shorter over the longer
/// axis in the plane; how far the mean lies off the query along and across the normal, over the
/// extent; the squared sine of the angle to the plane of the next scale; the logarithm of the
/// radius.
inline constexpr std::int64_t kScaleFeatures = 6;
inline constexpr std::int64_t kPatchFeatures = kScaleFeatures * kScales;

/// Of the cloud that patches come from, for each scale: the tenths 2, 5 and 8 of the logarithm of
/// scatter over extent over the patches, and the mean of the squared sine. They tell noise from
/// shape, which one patch can not.
inline constexpr std::int64_t kCloudFeatures = 4 * kScales;

/// Scatter about a plane or a surface is sqrt(l + (kFlatness extent)^2): without the second part
/// the root of a rounding error would be what an exact plane has.
inline constexpr double kFlatness = 3e-5;

/// Feature c of point i is at `points[c * channel + i * point]`.
template <class T>
struct PatchFeatures {
  T* points;
  std::int64_t channel, point;
  T* patch;  ///< [kPatchFeatures]
  /// [kScales, count], each row of sum one: a bell around the query as wide as the scale,
  /// (1 - |x|^2 / (1.5 r^2))^2.
  T* windows;
  std::int64_t window;  ///< numbers from one row to the next
};

/// `x` [count, 3], nearest first, relative to the point whose normal is wanted, within the unit
/// ball. All but the direction is invariant to motions of the patch about that point; the direction
/// turns with it. Sums are float64. A plane that is not unique is any of those there are.
template <class T>
void patch_features(std::int64_t count, const T* x, const PatchFeatures<T>& to);

/// `patches` [count, kPatchFeatures] of one cloud -> `cloud` [kCloudFeatures].
template <class T>
void cloud_features(std::int64_t count, const T* patches, T* cloud);

/// Points over a plane: heights and two coordinates, [count] each, and weights of sum one.
template <class T>
struct WeightedHeights {
  std::int64_t count;
  const T *height, *first, *second, *weights;
};

/// Where the normal of a surface over that plane is wanted, and how stiff the surface is: the
/// weight of its squared curvatures against the mean squared height. Zero is a free quadric, a
/// large one a plane.
struct JetPlace {
  double first, second, stiffness;
};

/// The surface z = c0 + c1 a + c2 b + c3 a^2/2 + c4 a b + c5 b^2/2 of least squares: the slopes of
/// its normal (1, slopes) at a place, softly limited to 4, and the scatter about it.
struct PatchJet {
  double slopes[2];
  double scatter;
  double coefficients[6];
  double factor[6][6];  ///< Cholesky's, lower
};
template <class T>
PatchJet patch_jet(const WeightedHeights<T>& points, const JetPlace& place);

/// d_slopes -> d_weights [count], not scaled to a sum, and the derivative by the stiffness, which
/// is returned.
template <class T>
double patch_jet_backward(const WeightedHeights<T>& points, const JetPlace& place,
                          const PatchJet& jet, const double* d_slopes, T* d_weights);

}  // namespace equiframe::kernels::inline normals
