// Sums over one row, and a dense layer on one.
#pragma once

#include <algorithm>

#include "nn/kernels/perceptron.h"
#include "simd/lanes_math.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
T row_sum(const T* row, std::int64_t count) {
  std::int64_t i = 0;
  Lanes<T> sums{};
  for (; i + kWidth<T> <= count; i += kWidth<T>) sums += load(row + i);
  T sum = total(sums);
  for (; i < count; ++i) sum += row[i];
  return sum;
}

/// sum_i a_i b_i.
template <class T>
T row_product(const T* a, const T* b, std::int64_t count) {
  std::int64_t i = 0;
  Lanes<T> sums{};
  for (; i + kWidth<T> <= count; i += kWidth<T>)
    sums = multiply_add(load(a + i), load(b + i), sums);
  T sum = total(sums);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// The largest of one or more.
template <class T>
T row_top(const T* row, std::int64_t count) {
  std::int64_t i = 0;
  T top = row[0];
  if (count >= kWidth<T>) {
    Lanes<T> tops = load(row);
    for (; i + kWidth<T> <= count; i += kWidth<T>) {
      const Lanes<T> value = load(row + i);
      tops = value > tops ? value : tops;
    }
    for (std::int64_t lane = 0; lane < kWidth<T>; ++lane) top = std::max(top, T(tops[lane]));
  }
  for (; i < count; ++i) top = std::max(top, row[i]);
  return top;
}

/// y = W x + b for one row.
template <class T>
void dense(const DenseLayer<T>& layer, const T* x, T* y) {
  for (std::int64_t o = 0; o < layer.out; ++o)
    y[o] = layer.bias[o] + row_product(layer.weight + o * layer.in, x, layer.in);
}

}  // namespace
}  // namespace equiframe::kernels::inline nn
