#pragma once

#include <cstdint>

#include "simd/table.h"

/// The non-linear maps of vector neurons (Deng et al., 2021): channels are vectors of R^3, stored
/// [rows, 3, cols] with the channels last. T is float or double.
namespace equiframe::kernels::inline nn {

/// rows of three times `cols` numbers; the components of a row lie `stride` numbers apart, rows
/// three times that.
template <class T>
struct VectorRows {
  T* data;
  std::int64_t stride;
};

/// lengths [rows, cols] = |v| + eps.
template <class T>
void vector_lengths(std::int64_t rows, std::int64_t cols, VectorRows<const T> v, T eps, T* lengths);

/// dv += gradient v / |v| with the gradient of the lengths [rows, cols]; nothing where v is zero.
template <class T>
void add_lengths_gradient(std::int64_t rows, std::int64_t cols, VectorRows<const T> v,
                          const T* gradient, VectorRows<T> dv);

/// With q = ratio v and p = <q, d>:   y = q if p >= 0, else q - (1 - slope) p / (|d|^2 + eps) d.
template <class T>
struct VectorReluInput {
  VectorRows<const T> v;
  const T* ratio;          ///< [rows, cols]
  VectorRows<const T> d;   ///< the directions
  std::int64_t direction;  ///< from one channel's direction to the next: 1, or 0 if all share one
  T slope;
  T eps;
};

template <class T>
void vector_relu(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input, T* y);

/// Gradients of v and d with strides like theirs, of the ratio [rows, cols]. All are overwritten; a
/// shared direction gets the sum over the channels.
template <class T>
struct VectorReluGradients {
  const T* y;
  VectorRows<T> v;
  T* ratio;
  VectorRows<T> d;
};

template <class T>
void vector_relu_backward(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input,
                          const VectorReluGradients<T>& gradients);

template <class T>
struct VectorReluFunctions {
  decltype(&nn::vector_lengths<T>) vector_lengths;
  decltype(&nn::add_lengths_gradient<T>) add_lengths_gradient;
  decltype(&nn::vector_relu<T>) vector_relu;
  decltype(&nn::vector_relu_backward<T>) vector_relu_backward;
};
using VectorReluKernels = BothPrecisions<VectorReluFunctions>;

}  // namespace equiframe::kernels::inline nn
