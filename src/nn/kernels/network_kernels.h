// The network kernels compiled for each instruction set, chosen at run time.
#pragma once

#include "nn/kernels/message_layer.h"
#include "nn/kernels/perceptron.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline nn {

template <class T>
struct NetworkKernels {
  void (*message_forward)(const MessageShape&, const MessageWeights<T>&, const MessageInput<T>&,
                          const MessageOutput<T>&);
  void (*message_backward)(const MessageShape&, const MessageWeights<T>&, const MessageInput<T>&,
                           const MessageGradients<T>&);
  void (*perceptron_forward)(std::int64_t rows, const std::vector<DenseLayer<T>>&, const T* x, T* y,
                             T* tape);
  void (*perceptron_backward)(std::int64_t rows, const std::vector<DenseLayer<T>>&,
                              const PerceptronGradients<T>&);
};

/// The kernels of one instruction set, each defined in the source that is compiled for it.
const NetworkKernels<float>& network_baseline_float();
const NetworkKernels<double>& network_baseline_double();
const NetworkKernels<float>& network_avx2_float();
const NetworkKernels<double>& network_avx2_double();
const NetworkKernels<float>& network_avx512_float();
const NetworkKernels<double>& network_avx512_double();

/// The kernels of a level, which must not be above `highest_simd_level()`.
template <class T>
const NetworkKernels<T>& network_kernels_of(SimdLevel level);

}  // namespace equiframe::kernels::inline nn
