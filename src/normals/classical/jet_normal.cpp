#include <array>
#include <cmath>

#include "linalg/quadric_sums.h"
#include "normals/classical/patch_normals.h"

namespace equiframe::inline normals {
namespace {

constexpr double kSteepest = 3;  // tan^2 of 60 degrees

/// Component along column j of `axes`.
double along(const double* axes, int64_t j, const double* x) {
  return x[0] * axes[j] + x[1] * axes[3 + j] + x[2] * axes[6 + j];
}

}  // namespace

bool jet_normal(const double* offsets, int64_t k, const double* axes, double* normal) {
  if (k < static_cast<int64_t>(kernels::kQuadricTerms)) return false;
  double total = 0;
  for (int64_t i = 0; i < 3 * k; ++i) total += offsets[i] * offsets[i];
  if (!(total > 0)) return false;
  const double scale = 1 / std::sqrt(total / static_cast<double>(k));  // a typical offset is one
  kernels::QuadricSums sums;
  for (int64_t i = 0; i < k; ++i) {
    const double* x = offsets + 3 * i;
    const double u = scale * along(axes, 2, x), v = scale * along(axes, 1, x),
                 height = scale * along(axes, 0, x);
    sums.add(1 / (1 + u * u + v * v + height * height), u, v, height);
  }
  std::array<double, kernels::kQuadricTerms> terms{};
  if (!sums.solve(terms)) return false;
  const double slope = terms[1] * terms[1] + terms[2] * terms[2];
  if (!(slope <= kSteepest)) return false;
  const double length = std::sqrt(1 + slope);
  for (int64_t axis = 0; axis < 3; ++axis)
    normal[axis] =
        (axes[3 * axis] - terms[1] * axes[3 * axis + 2] - terms[2] * axes[3 * axis + 1]) / length;
  return true;
}

}  // namespace equiframe::inline normals
