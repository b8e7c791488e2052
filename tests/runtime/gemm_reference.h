#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

/// The loaded BLAS against plain loops.
namespace equiframe::runtime::testing {

template <class T>
using Gemm = void(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                  const T* alpha, const T* a, const int* lda, const T* b, const int* ldb,
                  const T* beta, T* c, const int* ldc);

template <class T>
Gemm<T>* loaded_gemm() {
  const char* symbol = std::is_same_v<T, float> ? "sgemm_" : "dgemm_";
  return reinterpret_cast<Gemm<T>*>(dlsym(RTLD_DEFAULT, symbol));
}

template <class T>
std::vector<T> random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (T& entry : matrix) entry = uniform(engine);
  return matrix;
}

/// Entry (i, j) of op(M), column-major with leading dimension `ld`.
template <class T>
double entry(const std::vector<T>& matrix, char op, int i, int j, int ld) {
  const int offset = op == 'N' ? i + j * ld : j + i * ld;
  return static_cast<double>(matrix[static_cast<std::size_t>(offset)]);
}

/// The largest error of C = op(A) op(B) over all entries, in units of k epsilon.
template <class T>
double gemm_error(char opa, char opb, int m, int k, int n) {
  const int lda = opa == 'N' ? m : k;
  const int ldb = opb == 'N' ? k : n;
  const std::vector<T> a = random_matrix<T>(m, k, 11);
  const std::vector<T> b = random_matrix<T>(k, n, 12);
  std::vector<T> c = random_matrix<T>(m, n, 13);
  const T one = 1;
  const T zero = 0;
  loaded_gemm<T>()(&opa, &opb, &m, &n, &k, &one, a.data(), &lda, b.data(), &ldb, &zero, c.data(),
                   &m);
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += entry(a, opa, i, p, lda) * entry(b, opb, p, j, ldb);
      worst = std::max(worst, std::abs(sum - entry(c, 'N', i, j, m)));
    }
  }
  return worst / (k * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

/// Sizes below, at and across the blocking of the kernels, and one large enough for threads.
template <class T>
void expect_right_products() {
  ASSERT_NE(loaded_gemm<T>(), nullptr);
  for (const auto& [m, k, n] : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {3, 5, 2}, {64, 64, 64}, {129, 67, 93}, {500, 122, 60}, {260, 300, 280}}) {
    for (const char opa : {'N', 'T'}) {
      for (const char opb : {'N', 'T'}) {
        EXPECT_LT(gemm_error<T>(opa, opb, m, k, n), 1.0)
            << opa << opb << " " << m << "x" << k << "x" << n;
      }
    }
  }
}

}  // namespace equiframe::runtime::testing
