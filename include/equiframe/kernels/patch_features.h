#pragma once

#include <array>
#include <cstdint>

/// What planes through the nearest 8, 16, 32, ... points of a patch say about each of its points.
/// Plain C++20, no LibTorch.
namespace equiframe::kernels {

/// Points of each scale; a patch with fewer takes all it has.
inline constexpr std::array<std::int64_t, 6> kPatchScales{8, 16, 32, 64, 128, 192};

/// Of a point: direction x / |x| (3); |x|, sqrt |x|; for each scale its height h over the plane and
/// h / (h + s), where s is the scatter of the points about it.
inline constexpr std::int64_t kPointFeatures =
    5 + 2 * static_cast<std::int64_t>(kPatchScales.size());
/// Of the patch, for each scale: the logarithm of scatter over extent, and the extent.
inline constexpr std::int64_t kPatchFeatures = 2 * static_cast<std::int64_t>(kPatchScales.size());

/// Feature c of point i is at `points[c * channel + i * point]`.
template <class T>
struct PatchFeatures {
  T* points;
  std::int64_t channel, point;
  T* patch;  ///< [kPatchFeatures]
};

/// `x` [count, 3], nearest first, relative to the point whose normal is wanted, within the unit
/// ball. All but the direction is invariant to motions of the patch about that point; the direction
/// turns with it. Sums are float64. A plane that is not unique is any of those there are.
template <class T>
void patch_features(std::int64_t count, const T* x, const PatchFeatures<T>& to);

}  // namespace equiframe::kernels
