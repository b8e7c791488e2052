#include "linalg/quadric_sums.h"

#include <cmath>

namespace equiframe::kernels::inline linalg {
namespace {

/// Powers of a and b in each term.
constexpr std::array<std::array<std::size_t, 2>, kQuadricTerms> kPowers{
    {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}}};

}  // namespace

double QuadricSums::entry(std::size_t i, std::size_t j) const {
  const std::size_t b = kPowers[i][1] + kPowers[j][1], degree = kPowers[i][0] + kPowers[j][0] + b;
  return sums_[degree * (degree + 1) / 2 + b];
}

// Cholesky's decomposition, then both triangles.
bool QuadricSums::solve(std::array<double, kQuadricTerms>& coefficients) const {
  constexpr double kLeastPivot = 1e-8;  // of what the diagonal was
  std::array<double, kQuadricTerms>& x = coefficients;
  std::array<std::array<double, kQuadricTerms>, kQuadricTerms> lower{};
  for (std::size_t i = 0; i < kQuadricTerms; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = entry(i, j);
      for (std::size_t m = 0; m < j; ++m) sum -= lower[i][m] * lower[j][m];
      if (i == j && !(sum > kLeastPivot * entry(i, i))) return false;
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
  for (std::size_t i = 0; i < kQuadricTerms; ++i) {
    x[i] = height_moment(i);
    for (std::size_t m = 0; m < i; ++m) x[i] -= lower[i][m] * x[m];
    x[i] /= lower[i][i];
  }
  for (std::size_t i = kQuadricTerms; i-- > 0;) {
    for (std::size_t m = i + 1; m < kQuadricTerms; ++m) x[i] -= lower[m][i] * x[m];
    x[i] /= lower[i][i];
  }
  return true;
}

}  // namespace equiframe::kernels::inline linalg
