#pragma once

#include <cstdint>

/// Curved surfaces through smaller and larger neighbourhoods of a point. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// Neighbours of the largest one. Each smaller one has a radius that is sqrt(2) times less, on a
/// surface half as many points.
inline constexpr std::int64_t kSurfaceNeighbors = 512;
inline constexpr std::int64_t kSurfaceScales = 5;

/// Of each neighbourhood: the logarithm of the scatter about the surface over the spacing of
/// points, the logarithm of its curvature times its radius, and the logarithm of its number of
/// points over that of an even surface.
inline constexpr std::int64_t kSurfaceNumbers = 3;

struct ScaleSurfaces {
  double normals[kSurfaceScales][3];  ///< unit, smallest scale first
  double numbers[kSurfaceScales][kSurfaceNumbers];
  double spacing;  ///< of points, about; 1 if they are all in one place
};

/// `offsets` [count, 3] from the point to its neighbours in any order. Heights are taken along the
/// unit vector `normal`; z = c0 + c1 a + c2 b + c3 a^2 + c4 a b + c5 b^2 by least squares.
/// Where the points do not determine that, `normal` itself stands and the numbers are zero. Normals
/// turn with the points, numbers are invariant, and the sign of `normal` does not matter.
ScaleSurfaces scale_surfaces(std::int64_t count, const double* offsets, const double* normal);

}  // namespace equiframe::kernels::inline normals
