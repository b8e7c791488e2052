#pragma once

#include <cstdint>
#include <vector>

#include "simd/table.h"

/// A perceptron with SiLU or ReLU between its layers, a few rows at a time through all of them:
///   a_0 = x,  z_k = W_k a_{k-1} + b_k,  a_k = act(z_k),  y = z_L.
/// Plain C++20, no LibTorch.
namespace equiframe::kernels::inline nn {

enum class Between { kSilu, kRelu };

template <class T>
struct DenseLayer {
  const T* weight;  ///< [out, in], row-major
  const T* bias;    ///< [out], or null
  std::int64_t in = 0, out = 0;
  Between after = Between::kSilu;  ///< not after the last layer
};
template <class T>
struct DenseLayerGradient {
  T* weight;  ///< is added to
  T* bias;    ///< is added to; null if the layer has none
};

/// Numbers that the forward pass leaves on its tape for each row: all hidden z_k.
template <class T>
std::int64_t perceptron_tape(const std::vector<DenseLayer<T>>& layers);

/// x [rows, in], y [rows, out], tape [rows, perceptron_tape] or null if no backward pass will come.
template <class T>
void perceptron_forward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers, const T* x,
                        T* y, T* tape);

/// dy [rows, out] -> dx [rows, in], or null if nobody wants it.
template <class T>
struct PerceptronGradients {
  const T* x;
  const T* dy;
  const T* tape;
  T* dx;
  std::vector<DenseLayerGradient<T>> layers;
};
template <class T>
void perceptron_backward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers,
                         const PerceptronGradients<T>& gradients);

template <class T>
struct PerceptronFunctions {
  decltype(&perceptron_forward<T>) forward;
  decltype(&perceptron_backward<T>) backward;
};
using PerceptronKernels = BothPrecisions<PerceptronFunctions>;

}  // namespace equiframe::kernels::inline nn
