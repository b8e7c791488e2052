#include "normals/kernels/scale_surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/quadric_sums.h"

namespace equiframe::kernels::inline normals {
namespace {

/// Two axes across a unit vector.
struct Across {
  std::array<double, 3> first, second;
  explicit Across(const double* n) {
    int least = 0;
    for (int c = 1; c < 3; ++c)
      if (std::abs(n[c]) < std::abs(n[least])) least = c;
    const auto axis = static_cast<std::size_t>(least);
    for (std::size_t c = 0; c < 3; ++c) first[c] = (c == axis ? 1 : 0) - n[axis] * n[c];
    const double length =
        std::sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (double& value : first) value /= length;
    second = {n[1] * first[2] - n[2] * first[1], n[2] * first[0] - n[0] * first[2],
              n[0] * first[1] - n[1] * first[0]};
  }
};

double squared_length(const double* x) {
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/// The sums of rings between one radius and the next, lengths over the largest radius.
std::array<QuadricSums, kSurfaceScales> ring_sums(std::int64_t count, const double* offsets,
                                                  const double* n, double radius) {
  const Across axes(n);
  const double scale = 1 / radius;
  std::array<QuadricSums, kSurfaceScales> rings;
  for (std::int64_t k = 0; k < count; ++k) {
    const double* at = offsets + 3 * k;
    const double x = scale * at[0], y = scale * at[1], z = scale * at[2];
    const double a = axes.first[0] * x + axes.first[1] * y + axes.first[2] * z;
    const double b = axes.second[0] * x + axes.second[1] * y + axes.second[2] * z;
    const double height = n[0] * x + n[1] * y + n[2] * z;
    double reach = x * x + y * y + z * z;
    std::size_t ring = kSurfaceScales - 1;
    for (; ring > 0 && reach <= 0.5; --ring) reach *= 2;
    rings[ring].add(1, a, b, height);
  }
  return rings;
}

/// A neighbourhood within the largest one, lengths over the largest radius.
struct Scale {
  double share;    // of its points on an even surface, and of its squared radius
  double even;     // so many points
  double spacing;  // of points
};

void put_surface(const QuadricSums& sums, const Scale& scale, const double* n, double* normal,
                 double* numbers) {
  constexpr double kLeastCount = 8, kLeastScatter = 1e-3, kLeastCurvature = 1e-2;
  std::copy_n(n, 3, normal);
  std::fill_n(numbers, kSurfaceNumbers, 0.0);
  const double count = sums.weight();
  std::array<double, kQuadricTerms> c{};
  if (count < kLeastCount || !sums.solve(c)) return;
  const Across axes(n);
  const double length = std::sqrt(1 + c[1] * c[1] + c[2] * c[2]);
  for (std::size_t i = 0; i < 3; ++i)
    normal[i] = (n[i] - c[1] * axes.first[i] - c[2] * axes.second[i]) / length;
  double left = sums.squared_heights();
  for (std::size_t i = 0; i < kQuadricTerms; ++i) left -= c[i] * sums.height_moment(i);
  const double curvature = std::sqrt(4 * c[3] * c[3] + 2 * c[4] * c[4] + 4 * c[5] * c[5]);
  numbers[0] = std::log(std::sqrt(std::max(left, 0.0) / count) / scale.spacing + kLeastScatter);
  numbers[1] = std::log(curvature * std::sqrt(scale.share) + kLeastCurvature);
  numbers[2] = std::log(count / scale.even);
}

}  // namespace

ScaleSurfaces scale_surfaces(std::int64_t count, const double* offsets, const double* normal) {
  constexpr double kPointsOfUnit = 16;  // the spacing is about the radius of so many points
  ScaleSurfaces result{};
  double most = 0;
  for (std::int64_t k = 0; k < count; ++k) most = std::max(most, squared_length(offsets + 3 * k));
  result.spacing = 1;
  for (auto& n : result.normals) std::copy_n(normal, 3, n);
  if (!(most > 0)) return result;
  const double radius = std::sqrt(most);
  const double spacing = std::sqrt(kPointsOfUnit / static_cast<double>(count));
  result.spacing = radius * spacing;
  const std::array<QuadricSums, kSurfaceScales> rings = ring_sums(count, offsets, normal, radius);
  QuadricSums sums;
  double share = std::ldexp(1.0, 1 - static_cast<int>(kSurfaceScales));
  for (std::size_t s = 0; s < kSurfaceScales; ++s, share *= 2) {
    sums.add(rings[s]);
    put_surface(sums, {share, share * static_cast<double>(count), spacing}, normal,
                result.normals[s], result.numbers[s]);
  }
  return result;
}

}  // namespace equiframe::kernels::inline normals
