#include "runtime/gemm_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace equiframe::runtime {
namespace {

/// Values in [-1, 1) that repeat with no period near the sizes used.
template <class T>
std::vector<T> pattern(std::size_t size, unsigned seed) {
  std::vector<T> values(size);
  unsigned state = seed;
  for (T& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<T>(static_cast<double>(state >> 8) / double(1U << 23) - 1.0);
  }
  return values;
}

/// C = A B with column-major A[m, k], B[k, n]; entries are at most one, so k epsilon bounds the
/// rounding of any order of summation.
template <class T, class Gemm>
bool product_is_right(Gemm* gemm, int m, int k, int n) {
  const auto rows = static_cast<std::size_t>(m);
  const auto inner = static_cast<std::size_t>(k);
  const auto columns = static_cast<std::size_t>(n);
  const std::vector<T> a = pattern<T>(rows * inner, 1);
  const std::vector<T> b = pattern<T>(inner * columns, 2);
  std::vector<T> c(rows * columns, std::numeric_limits<T>::quiet_NaN());
  const T one = 1;
  const T zero = 0;
  gemm("N", "N", &m, &n, &k, &one, a.data(), &m, b.data(), &k, &zero, c.data(), &m);
  const double tolerance = 2.0 * k * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t p = 0; p < inner; ++p) {
        sum += static_cast<double>(a[p * rows + i]) * static_cast<double>(b[j * inner + p]);
      }
      if (!(std::abs(sum - static_cast<double>(c[j * rows + i])) <= tolerance)) return false;
    }
  }
  return true;
}

}  // namespace

bool products_are_right(const BlasLibrary& library) {
  auto* sgemm = library.function<SgemmFunction>("sgemm_");
  auto* dgemm = library.function<DgemmFunction>("dgemm_");
  if (sgemm == nullptr || dgemm == nullptr) return false;
  constexpr std::array<std::array<int, 3>, 3> kSizes{{{1, 1, 1}, {33, 47, 29}, {70, 40, 66}}};
  for (const auto& [m, k, n] : kSizes) {
    if (!product_is_right<float>(sgemm, m, k, n)) return false;
    if (!product_is_right<double>(dgemm, m, k, n)) return false;
  }
  return true;
}

}  // namespace equiframe::runtime
