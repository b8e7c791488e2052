/// Slow and simple long-double counterparts of the kernels, and random inputs for them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "linalg/pca.h"

namespace equiframe::kernels::reference {

using Matrix = std::array<std::array<long double, 3>, 3>;  // the leading d x d block counts
using Random = std::mt19937_64;

/// Every level this machine can run.
inline std::vector<SimdLevel> levels() {
  std::vector<SimdLevel> all;
  for (const SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level <= highest_simd_level()) all.push_back(level);
  }
  return all;
}

/// A random rotation of d = 2, 3 dimensions: Gram-Schmidt on Gaussian columns.
inline Matrix rotation(int d, Random& random) {
  std::normal_distribution<long double> normal;
  Matrix r{};
  for (int j = 0; j < d; ++j) {
    for (int i = 0; i < d; ++i) r[i][j] = normal(random);
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < j; ++k) {
        long double overlap = 0;
        for (int i = 0; i < d; ++i) overlap += r[i][j] * r[i][k];
        for (int i = 0; i < d; ++i) r[i][j] -= overlap * r[i][k];
      }
    }
    long double length = 0;
    for (int i = 0; i < d; ++i) length += r[i][j] * r[i][j];
    for (int i = 0; i < d; ++i) r[i][j] /= std::sqrt(length);
  }
  return r;
}

/// R diag(values) R^T for a random rotation R.
inline Matrix with_spectrum(int d, const std::array<long double, 3>& values, Random& random) {
  const Matrix r = rotation(d, random);
  Matrix a{};
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      for (int k = 0; k < d; ++k) a[i][j] += r[i][k] * values[k] * r[j][k];
    }
  }
  return a;
}

inline long double norm(int d, const Matrix& a) {
  long double sum = 0;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) sum += a[i][j] * a[i][j];
  }
  return std::sqrt(sum);
}

/// Eigenvalues in ascending order, by textbook cyclic Jacobi until nothing is left to rotate.
inline std::array<long double, 3> eigenvalues(int d, Matrix a) {
  bool rotated = true;
  for (int sweep = 0; sweep < 30 && rotated; ++sweep) {
    rotated = false;
    for (int p = 0; p < d; ++p) {
      for (int q = p + 1; q < d; ++q) {
        if (std::abs(a[p][q]) <= 1e-25L * (std::abs(a[p][p]) + std::abs(a[q][q]))) continue;
        rotated = true;
        const long double angle = 0.5L * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const long double c = std::cos(angle), s = std::sin(angle);
        for (int k = 0; k < d; ++k) {
          const long double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < d; ++k) {
          const long double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        a[p][q] = a[q][p] = 0;
      }
    }
  }
  std::array<long double, 3> values{};
  for (int i = 0; i < d; ++i) values[i] = a[i][i];
  for (int i = 1; i < d; ++i) {  // by hand: GCC 12 takes std::sort of three for out of bounds
    for (int j = i; j > 0 && values[j - 1] > values[j]; --j) std::swap(values[j - 1], values[j]);
  }
  return values;
}

/// sum_i w_i (x_i - c)(x_i - c)^T and c of one set; `centre` is set to the mean first if asked.
template <class T>
Matrix moments(const PointSets<T>& sets, std::int64_t item, Centre centring,
               std::array<long double, 3>& centre) {
  const auto d = static_cast<int>(sets.dim);
  const auto weight = [&](std::int64_t i) -> long double {
    return sets.weights == nullptr ? 1 : sets.weights[item * sets.n + i];
  };
  const auto x = [&](std::int64_t i, int j) -> long double {
    return weight(i) == 0 ? 0 : sets.points[(item * sets.n + i) * sets.stride + j];
  };
  centre = {};
  long double total = 0;
  for (std::int64_t i = 0; i < sets.n; ++i) total += weight(i);
  for (int j = 0; j < d && centring == Centre::kMean && total > 0; ++j) {
    for (std::int64_t i = 0; i < sets.n; ++i) centre[j] += weight(i) * x(i, j) / total;
  }
  Matrix covariance{};
  for (std::int64_t i = 0; i < sets.n; ++i) {
    for (int p = 0; p < d; ++p) {
      for (int q = 0; q < d; ++q) {
        covariance[p][q] += weight(i) * (x(i, p) - centre[p]) * (x(i, q) - centre[q]);
      }
    }
  }
  return covariance;
}

}  // namespace equiframe::kernels::reference
