// Products of small matrices that stay in cache, the right factor padded to whole lanes.
#pragma once

#include <algorithm>

#include "simd/lanes_math.h"

namespace equiframe::kernels::inline simd {
namespace {

/// `count` rounded up to whole lanes of the widest instruction set: buffers are shaped alike for
/// every instruction set.
constexpr std::int64_t padded(std::int64_t count) {
  return (count + 15) / 16 * 16;
}

/// The left factor: element (m, k) is data[m * row + k * step], so a transposed matrix costs
/// nothing.
template <class T>
struct Left {
  const T* data;
  std::int64_t row;
  std::int64_t step;
};

/// A padded matrix.
template <class T>
struct Rows {
  T* data;
  std::int64_t row;  ///< numbers from one row to the next

  T* at(std::int64_t r) const { return data + r * row; }
  Left<T> left() const { return {data, row, 1}; }
  Left<T> left_transposed() const { return {data, 1, row}; }
};

/// What a product is added to: nothing, one row or one column for all (a bias), or what the result
/// holds.
enum class Start { kZero, kRow, kColumn, kSelf };

#if defined(__AVX512F__)
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif
constexpr int kTileLanes = 2;

template <Start kStart, int kRows, int kCols, class T>
inline void product_tile(std::int64_t depth, Left<T> a, Rows<const T> b, Rows<T> c, const T* bias) {
  using V = Lanes<T>;
  V sum[kRows][kCols];
#pragma GCC unroll 12
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 2
    for (int n = 0; n < kCols; ++n) {
      if constexpr (kStart == Start::kZero) sum[m][n] = V{};
      if constexpr (kStart == Start::kRow) sum[m][n] = load(bias + n * kWidth<T>);
      if constexpr (kStart == Start::kColumn) sum[m][n] = splat<V>(bias[m]);
      if constexpr (kStart == Start::kSelf) sum[m][n] = load(c.at(m) + n * kWidth<T>);
    }
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    V right[kCols];
#pragma GCC unroll 2
    for (int n = 0; n < kCols; ++n) right[n] = load(b.at(k) + n * kWidth<T>);
#pragma GCC unroll 12
    for (int m = 0; m < kRows; ++m) {
      const V left = splat<V>(a.data[m * a.row + k * a.step]);
#pragma GCC unroll 2
      for (int n = 0; n < kCols; ++n) sum[m][n] = multiply_add(left, right[n], sum[m][n]);
    }
  }
#pragma GCC unroll 12
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 2
    for (int n = 0; n < kCols; ++n) store(c.at(m) + n * kWidth<T>, sum[m][n]);
  }
}

/// The last, incomplete tile of a column panel.
template <Start kStart, int kRows, int kCols, class T>
void product_rest(std::int64_t rows, std::int64_t depth, Left<T> a, Rows<const T> b, Rows<T> c,
                  const T* bias) {
  if constexpr (kRows > 0) {
    if (rows == kRows) return product_tile<kStart, kRows, kCols>(depth, a, b, c, bias);
    product_rest<kStart, kRows - 1, kCols>(rows, depth, a, b, c, bias);
  }
}

template <Start kStart, class T>
const T* start_at(const T* bias, std::int64_t row) {
  return kStart == Start::kColumn ? bias + row : bias;
}

template <Start kStart, int kCols, class T>
void product_panel(std::int64_t rows, std::int64_t depth, Left<T> a, Rows<const T> b, Rows<T> c,
                   const T* bias) {
  std::int64_t m = 0;
  for (; m + kTileRows <= rows; m += kTileRows)
    product_tile<kStart, kTileRows, kCols>(depth, Left<T>{a.data + m * a.row, a.row, a.step}, b,
                                           Rows<T>{c.at(m), c.row}, start_at<kStart>(bias, m));
  product_rest<kStart, kTileRows - 1, kCols>(rows - m, depth,
                                             Left<T>{a.data + m * a.row, a.row, a.step}, b,
                                             Rows<T>{c.at(m), c.row}, start_at<kStart>(bias, m));
}

/// C [rows, cols] = start + A [rows, depth] B [depth, cols], for `cols` columns rounded up to
/// whole lanes: B and C must have room for them.
template <Start kStart, class T>
void multiply(std::int64_t rows, std::int64_t cols, std::int64_t depth, Left<T> a, Rows<const T> b,
              Rows<T> c, const T* bias = nullptr) {
  constexpr std::int64_t kPanel = kTileLanes * kWidth<T>;
  for (std::int64_t n = 0; n < cols; n += kPanel) {
    const T* start = kStart == Start::kRow ? bias + n : bias;
    const Rows<const T> right{b.data + n, b.row};
    const Rows<T> result{c.data + n, c.row};
    if (cols - n > kWidth<T>)
      product_panel<kStart, kTileLanes>(rows, depth, a, right, result, start);
    else
      product_panel<kStart, 1>(rows, depth, a, right, result, start);
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline simd
