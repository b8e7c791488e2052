#include <array>
#include <cmath>
#include <utility>

#include "patch_normals.h"

namespace equiframe {
namespace {

constexpr size_t kTerms = 6;
/// Powers of u and v in the terms of the height function.
constexpr std::array<std::pair<size_t, size_t>, kTerms> kPowers{
    {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}}};
constexpr double kLeastPivot = 1e-8;  // of what the diagonal was: terms that are told apart
constexpr double kSteepest = 3;       // tan^2 of 60 degrees

using Vector = std::array<double, kTerms>;
using Matrix = std::array<Vector, kTerms>;

struct NormalEquations {
  std::array<std::array<double, 5>, 5> moments{};  // sum w u^i v^j, i + j <= 4
  Vector right{};                                  // sum w h u^i v^j

  void add(double weight, double u, double v, double height) {
    const std::array<double, 5> x{1, u, u * u, u * u * u, u * u * u * u};
    const std::array<double, 5> y{1, v, v * v, v * v * v, v * v * v * v};
    for (size_t i = 0; i < 5; ++i)
      for (size_t j = 0; i + j < 5; ++j) moments[i][j] += weight * x[i] * y[j];
    for (size_t a = 0; a < kTerms; ++a)
      right[a] += weight * height * x[kPowers[a].first] * y[kPowers[a].second];
  }

  double entry(size_t a, size_t b) const {
    return moments[kPowers[a].first + kPowers[b].first][kPowers[a].second + kPowers[b].second];
  }
};

/// Cholesky's decomposition in place of `right`; false if the terms are not independent.
bool solve(const NormalEquations& equations, Vector& right) {
  Matrix lower{};
  for (size_t i = 0; i < kTerms; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = equations.entry(i, j);
      for (size_t m = 0; m < j; ++m) sum -= lower[i][m] * lower[j][m];
      if (i == j && !(sum > kLeastPivot * equations.entry(i, i))) return false;
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
  }
  right = equations.right;
  for (size_t i = 0; i < kTerms; ++i) {
    for (size_t m = 0; m < i; ++m) right[i] -= lower[i][m] * right[m];
    right[i] /= lower[i][i];
  }
  for (size_t i = kTerms; i-- > 0;) {
    for (size_t m = i + 1; m < kTerms; ++m) right[i] -= lower[m][i] * right[m];
    right[i] /= lower[i][i];
  }
  return true;
}

/// Component along column j of `axes`.
double along(const double* axes, int64_t j, const double* x) {
  return x[0] * axes[j] + x[1] * axes[3 + j] + x[2] * axes[6 + j];
}

}  // namespace

bool jet_normal(const double* offsets, int64_t k, const double* axes, double* normal) {
  if (k < static_cast<int64_t>(kTerms)) return false;
  double total = 0;
  for (int64_t i = 0; i < 3 * k; ++i) total += offsets[i] * offsets[i];
  if (!(total > 0)) return false;
  const double scale = 1 / std::sqrt(total / static_cast<double>(k));  // a typical offset is one
  NormalEquations equations;
  for (int64_t i = 0; i < k; ++i) {
    const double* x = offsets + 3 * i;
    const double u = scale * along(axes, 2, x), v = scale * along(axes, 1, x),
                 height = scale * along(axes, 0, x);
    equations.add(1 / (1 + u * u + v * v + height * height), u, v, height);
  }
  Vector terms{};
  if (!solve(equations, terms)) return false;
  const double slope = terms[1] * terms[1] + terms[2] * terms[2];
  if (!(slope <= kSteepest)) return false;
  const double length = std::sqrt(1 + slope);
  for (int64_t axis = 0; axis < 3; ++axis)
    normal[axis] =
        (axes[3 * axis] - terms[1] * axes[3 * axis + 2] - terms[2] * axes[3 * axis + 1]) / length;
  return true;
}

}  // namespace equiframe
