// Products for the few rows (edge, a) of both edges of a pair. Factors of row a of edge e are
// t[e][k * kSize + a], side by side for all a, so that one pointer reaches them.
#pragma once

#include "nn/kernels/steerable/products.h"

namespace equiframe::kernels::inline nn {
namespace {

/// f.operator()<2 l + 1>() for a size known at run time only.
template <int kSize = 1, class F>
void with_size(std::int64_t size, const F& f) {
  if constexpr (kSize <= 11) {
    if (size == kSize) return f.template operator()<kSize>();
    with_size<kSize + 2>(size, f);
  }
}

/// The factors of both edges.
template <class T>
struct EdgeFactors {
  const T* edge[2];
};

template <class T>
struct Strided {
  T* data;
  std::int64_t row;
};

template <class T, Onto kOnto, int kSize, int kLanes>
inline void edge_rows_panel(std::int64_t depth, EdgeFactors<T> t, Strided<const T> b,
                            Strided<T> c) {
  using V = Lanes<T>;
  V sum[2][kSize][kLanes];
  const auto for_each = [&](const auto& f) {
#pragma GCC unroll 2
    for (int e = 0; e < 2; ++e)
#pragma GCC unroll 11
      for (int a = 0; a < kSize; ++a)
#pragma GCC unroll 3
        for (int n = 0; n < kLanes; ++n)
          f(sum[e][a][n], c.data + (e * kSize + a) * c.row + n * kWidth<T>);
  };
  for_each([](V& x, const T* from) { x = kOnto == Onto::kNothing ? V{} : load<T>(from); });
  for (std::int64_t k = 0; k < depth; ++k) {
    V right[kLanes];
#pragma GCC unroll 3
    for (int n = 0; n < kLanes; ++n) right[n] = load<T>(b.data + k * b.row + n * kWidth<T>);
#pragma GCC unroll 2
    for (int e = 0; e < 2; ++e) {
#pragma GCC unroll 11
      for (int a = 0; a < kSize; ++a) {
        const V left = splat<V>(t.edge[e][k * kSize + a]);
#pragma GCC unroll 3
        for (int n = 0; n < kLanes; ++n) sum[e][a][n] = multiply_add(left, right[n], sum[e][a][n]);
      }
    }
  }
  for_each([](const V& x, T* to) { store(to, x); });
}

/// C [(edge, a), columns] (+)= sum_k t[edge][k, a] B [k, columns], in whole lanes
template <class T, Onto kOnto, int kSize>
void multiply_edge_rows(std::int64_t columns, std::int64_t depth, EdgeFactors<T> t,
                        Strided<const T> b, Strided<T> c) {
  constexpr int kLanes = kSize == 1 ? 3 : kSize == 3 ? 2 : 1;
  const auto panel = [&]<int kCount>(std::int64_t n) {
    edge_rows_panel<T, kOnto, kSize, kCount>(depth, t, {b.data + n, b.row}, {c.data + n, c.row});
  };
  std::int64_t n = 0;
  for (; columns - n > (kLanes - 1) * kWidth<T>; n += kLanes * kWidth<T>)
    panel.template operator()<kLanes>(n);
  for (; n < columns; n += kWidth<T>) panel.template operator()<1>(n);
}

template <class T, int kSize, int kRows, int kLanes>
inline void edge_outer_tile(EdgeFactors<T> t, Strided<const T> b, Strided<T> c) {
  using V = Lanes<T>;
  V sum[kRows][kLanes] = {};
#pragma GCC unroll 2
  for (int e = 0; e < 2; ++e) {
#pragma GCC unroll 11
    for (int a = 0; a < kSize; ++a) {
      V right[kLanes];
#pragma GCC unroll 3
      for (int n = 0; n < kLanes; ++n)
        right[n] = load<T>(b.data + (e * kSize + a) * b.row + n * kWidth<T>);
#pragma GCC unroll 4
      for (int m = 0; m < kRows; ++m) {
        const V left = splat<V>(t.edge[e][m * kSize + a]);
#pragma GCC unroll 3
        for (int n = 0; n < kLanes; ++n) sum[m][n] = multiply_add(left, right[n], sum[m][n]);
      }
    }
  }
#pragma GCC unroll 4
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 3
    for (int n = 0; n < kLanes; ++n) store(c.data + m * c.row + n * kWidth<T>, sum[m][n]);
}

template <class T, int kSize, int kLanes>
void edge_outer_panel(std::int64_t rows, EdgeFactors<T> t, Strided<const T> b, Strided<T> c) {
  std::int64_t m = 0;
  const auto part = [&](std::int64_t row) {
    return EdgeFactors<T>{{t.edge[0] + row * kSize, t.edge[1] + row * kSize}};
  };
  for (; m + 4 <= rows; m += 4)
    edge_outer_tile<T, kSize, 4, kLanes>(part(m), b, {c.data + m * c.row, c.row});
  for (; m < rows; ++m)
    edge_outer_tile<T, kSize, 1, kLanes>(part(m), b, {c.data + m * c.row, c.row});
}

/// C [rows, columns] = sum over edges and a of t[edge][row, a] B [(edge, a), columns]. Panels go
/// from the last to the first and rows upward, so that rows of C that follow each other without a
/// gap may be written in whole lanes.
template <class T, int kSize>
void multiply_edge_outer(std::int64_t rows, std::int64_t columns, EdgeFactors<T> t,
                         Strided<const T> b, Strided<T> c) {
  const std::int64_t lanes = (columns + kWidth<T> - 1) / kWidth<T>, whole = lanes / 3 * 3;
  const auto panel = [&]<int kLanes>(std::int64_t lane) {
    const std::int64_t n = lane * kWidth<T>;
    edge_outer_panel<T, kSize, kLanes>(rows, t, {b.data + n, b.row}, {c.data + n, c.row});
  };
  if (lanes - whole == 2) panel.template operator()<2>(whole);
  if (lanes - whole == 1) panel.template operator()<1>(whole);
  for (std::int64_t lane = whole - 3; lane >= 0; lane -= 3) panel.template operator()<3>(lane);
}

}  // namespace
}  // namespace equiframe::kernels::inline nn
