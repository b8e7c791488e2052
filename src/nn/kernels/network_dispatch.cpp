#include "nn/kernels/network_kernels.h"

namespace equiframe::kernels::inline nn {

#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)

template <>
const NetworkKernels<float>& network_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return network_avx512_float();
  return level == SimdLevel::kAvx2 ? network_avx2_float() : network_baseline_float();
}

template <>
const NetworkKernels<double>& network_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return network_avx512_double();
  return level == SimdLevel::kAvx2 ? network_avx2_double() : network_baseline_double();
}

#else

template <>
const NetworkKernels<float>& network_kernels_of(SimdLevel) {
  return network_baseline_float();
}

template <>
const NetworkKernels<double>& network_kernels_of(SimdLevel) {
  return network_baseline_double();
}

#endif

MessageTape message_tape(const MessageShape& shape) {
  const std::int64_t node_parts = shape.tail ? 5 : 4;  // see TapePart
  const std::int64_t row = (shape.hidden + 15) / 16 * 16;
  return {node_parts * row, row};
}

template <class T>
std::int64_t perceptron_tape(const std::vector<DenseLayer<T>>& layers) {
  std::int64_t numbers = 0;
  for (std::size_t k = 0; k + 1 < layers.size(); ++k) numbers += (layers[k].out + 15) / 16 * 16;
  return numbers;
}

template <class T>
void message_forward(const MessageShape& shape, const MessageWeights<T>& weights,
                     const MessageInput<T>& input, const MessageOutput<T>& output) {
  network_kernels_of<T>(simd_level()).message_forward(shape, weights, input, output);
}

template <class T>
void message_backward(const MessageShape& shape, const MessageWeights<T>& weights,
                      const MessageInput<T>& input, const MessageGradients<T>& gradients) {
  network_kernels_of<T>(simd_level()).message_backward(shape, weights, input, gradients);
}

template <class T>
void perceptron_forward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers, const T* x,
                        T* y, T* tape) {
  network_kernels_of<T>(simd_level()).perceptron_forward(rows, layers, x, y, tape);
}

template <class T>
void perceptron_backward(std::int64_t rows, const std::vector<DenseLayer<T>>& layers,
                         const PerceptronGradients<T>& gradients) {
  network_kernels_of<T>(simd_level()).perceptron_backward(rows, layers, gradients);
}

template std::int64_t perceptron_tape(const std::vector<DenseLayer<float>>&);
template void message_forward(const MessageShape&, const MessageWeights<float>&,
                              const MessageInput<float>&, const MessageOutput<float>&);
template void message_backward(const MessageShape&, const MessageWeights<float>&,
                               const MessageInput<float>&, const MessageGradients<float>&);
template void perceptron_forward(std::int64_t, const std::vector<DenseLayer<float>>&, const float*,
                                 float*, float*);
template void perceptron_backward(std::int64_t, const std::vector<DenseLayer<float>>&,
                                  const PerceptronGradients<float>&);

template std::int64_t perceptron_tape(const std::vector<DenseLayer<double>>&);
template void message_forward(const MessageShape&, const MessageWeights<double>&,
                              const MessageInput<double>&, const MessageOutput<double>&);
template void message_backward(const MessageShape&, const MessageWeights<double>&,
                               const MessageInput<double>&, const MessageGradients<double>&);
template void perceptron_forward(std::int64_t, const std::vector<DenseLayer<double>>&,
                                 const double*, double*, double*);
template void perceptron_backward(std::int64_t, const std::vector<DenseLayer<double>>&,
                                  const PerceptronGradients<double>&);

}  // namespace equiframe::kernels::inline nn
