#pragma once

#include <cstddef>

#include "simd/table.h"

namespace equiframe::kernels::inline nn {

/// The numbers of one Adam step that are the same for all weights.
struct AdamStep {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double rate = 0;        ///< lr / (1 - beta1^t)
  double root_scale = 1;  ///< 1 / sqrt(1 - beta2^t)
  double l2 = 0;          ///< weight decay added to the gradient
  double keep = 1;        ///< decoupled weight decay: the weights are multiplied by this first
};

/// One step for `count` weights with gradients; mean and variance are the moments. Every weight is
/// computed by itself without fused operations, so all instruction sets give the same bits.
void adam_update(const AdamStep& step, std::size_t count, const float* gradient, float* weight,
                 float* mean, float* variance);
void adam_update(const AdamStep& step, std::size_t count, const double* gradient, double* weight,
                 double* mean, double* variance);

/// average += rate * (value - average)
void move_average(double rate, std::size_t count, const float* value, float* average);
void move_average(double rate, std::size_t count, const double* value, double* average);

template <class T>
struct AdamFunctions {
  void (*update)(const AdamStep& step, std::size_t count, const T* gradient, T* weight, T* mean,
                 T* variance);
  void (*move)(double rate, std::size_t count, const T* value, T* average);
};
using AdamKernels = BothPrecisions<AdamFunctions>;

}  // namespace equiframe::kernels::inline nn
