// Matrix products whose factors are given by functions, so that any order of rows costs nothing.
#pragma once

#include <algorithm>

#include "simd/lanes_math.h"

namespace equiframe::kernels::inline nn {
namespace {

/// C = A B: left(m, k) is a number of A, right(k) a row of B, result(m) a row of C. Rows of B and C
/// are read and written in whole lanes.
template <class LeftAt, class RightAt, class ResultAt>
struct Product {
  LeftAt left;
  RightAt right;
  ResultAt result;
};
template <class LeftAt, class RightAt, class ResultAt>
Product(LeftAt, RightAt, ResultAt) -> Product<LeftAt, RightAt, ResultAt>;

/// What a product is added to.
enum class Onto { kNothing, kResult };

template <class T, Onto kOnto, int kRows, int kLanes, class P>
inline void steerable_tile(const P& product, std::int64_t depth, std::int64_t row,
                           std::int64_t column) {
  using V = Lanes<T>;
  V sum[kRows][kLanes];
#pragma GCC unroll 10
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 3
    for (int n = 0; n < kLanes; ++n)
      sum[m][n] =
          kOnto == Onto::kNothing ? V{} : load<T>(product.result(row + m) + column + n * kWidth<T>);
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    const T* from = product.right(k) + column;
    V right[kLanes];
#pragma GCC unroll 3
    for (int n = 0; n < kLanes; ++n) right[n] = load<T>(from + n * kWidth<T>);
#pragma GCC unroll 10
    for (int m = 0; m < kRows; ++m) {
      const V left = splat<V>(product.left(row + m, k));
#pragma GCC unroll 3
      for (int n = 0; n < kLanes; ++n) sum[m][n] = multiply_add(left, right[n], sum[m][n]);
    }
  }
#pragma GCC unroll 10
  for (int m = 0; m < kRows; ++m) {
    T* to = product.result(row + m) + column;
#pragma GCC unroll 3
    for (int n = 0; n < kLanes; ++n) store(to + n * kWidth<T>, sum[m][n]);
  }
}

/// The last `rows` <= kRows rows of a panel, from `row` on.
template <class T, Onto kOnto, int kRows, int kLanes, class P>
void steerable_rest(const P& product, std::int64_t rows, std::int64_t depth, std::int64_t row,
                    std::int64_t column) {
  if constexpr (kRows > 0) {
    if (rows == kRows) return steerable_tile<T, kOnto, kRows, kLanes>(product, depth, row, column);
    steerable_rest<T, kOnto, kRows - 1, kLanes>(product, rows, depth, row, column);
  }
}

template <class T, Onto kOnto, int kRows, int kLanes, class P>
void steerable_panel(const P& product, std::int64_t rows, std::int64_t depth, std::int64_t column) {
  std::int64_t row = 0;
  for (; row + kRows <= rows; row += kRows)
    steerable_tile<T, kOnto, kRows, kLanes>(product, depth, row, column);
  steerable_rest<T, kOnto, kRows - 1, kLanes>(product, rows - row, depth, row, column);
}

/// Tiles of kRows x kLanes. Panels go from the last to the first and rows upward, so that rows of C
/// that follow each other without a gap may be written in whole lanes.
template <class T, Onto kOnto, int kRows, int kLanes, class P>
void multiply_steerable(const P& product, std::int64_t rows, std::int64_t columns,
                        std::int64_t depth) {
  const std::int64_t lanes = (columns + kWidth<T> - 1) / kWidth<T>;
  const std::int64_t whole = lanes / kLanes * kLanes;
  if (lanes - whole == 1)
    steerable_panel<T, kOnto, kRows, 1>(product, rows, depth, whole * kWidth<T>);
  if (kLanes == 3 && lanes - whole == 2)
    steerable_panel<T, kOnto, kRows, 2>(product, rows, depth, whole * kWidth<T>);
  for (std::int64_t panel = whole - kLanes; panel >= 0; panel -= kLanes)
    steerable_panel<T, kOnto, kRows, kLanes>(product, rows, depth, panel * kWidth<T>);
}

template <class T, int kRows, int kCols, class RowA, class RowB>
inline void dot_tile(std::int64_t depth, const RowA& a, const RowB& b, T (&c)[kRows][kCols]) {
  using V = Lanes<T>;
  V sum[kRows][kCols] = {};
  for (std::int64_t x = 0; x < depth; x += kWidth<T>) {
    V right[kCols];
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) right[n] = load<T>(b(n) + x);
#pragma GCC unroll 4
    for (int m = 0; m < kRows; ++m) {
      const V left = load<T>(a(m) + x);
#pragma GCC unroll 3
      for (int n = 0; n < kCols; ++n) sum[m][n] = multiply_add(left, right[n], sum[m][n]);
    }
  }
#pragma GCC unroll 4
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) c[m][n] = total<V>(sum[m][n]);
  }
}

/// result(m, n, left(m) . right(n)) for m < rows and n < cols; rows of `depth` numbers in whole
/// lanes. Incomplete tiles repeat their last row.
template <class T, class P>
void dot_products(const P& of, std::int64_t rows, std::int64_t cols, std::int64_t depth) {
  constexpr int kRows = 4, kCols = 3;
  for (std::int64_t m = 0; m < rows; m += kRows) {
    for (std::int64_t n = 0; n < cols; n += kCols) {
      T c[kRows][kCols];
      dot_tile<T, kRows, kCols>(
          depth, [&](int r) { return of.left(std::min(m + r, rows - 1)); },
          [&](int s) { return of.right(std::min(n + s, cols - 1)); }, c);
      for (int r = 0; r < kRows && m + r < rows; ++r)
        for (int s = 0; s < kCols && n + s < cols; ++s) of.result(m + r, n + s, c[r][s]);
    }
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline nn
