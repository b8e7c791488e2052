#include "nn/kernels/cloud_kernels.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
const CloudKernels<T>& chosen() {
  return cloud_kernels_of<T>(simd_level());
}

}  // namespace

#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)

template <>
const CloudKernels<float>& cloud_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return cloud_avx512_float();
  return level == SimdLevel::kAvx2 ? cloud_avx2_float() : cloud_baseline_float();
}

template <>
const CloudKernels<double>& cloud_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return cloud_avx512_double();
  return level == SimdLevel::kAvx2 ? cloud_avx2_double() : cloud_baseline_double();
}

#else

template <>
const CloudKernels<float>& cloud_kernels_of(SimdLevel) {
  return cloud_baseline_float();
}

template <>
const CloudKernels<double>& cloud_kernels_of(SimdLevel) {
  return cloud_baseline_double();
}

#endif

template <class T>
void column_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* pivot, double* sum,
                 double* squares) {
  chosen<T>().column_sums(rows, cols, x, pivot, sum, squares);
}

template <class T>
void activate(std::int64_t rows, std::int64_t cols, const T* x, const Activation<T>& activation,
              T* y) {
  chosen<T>().activate(rows, cols, x, activation, y);
}

template <class T>
void activation_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                     const Activation<T>& activation, const T* pivot, double* sum, double* moment) {
  chosen<T>().activation_sums(rows, cols, x, dy, activation, pivot, sum, moment);
}

template <class T>
void activation_backward(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                         const Activation<T>& activation, const T* offset, const T* slant, T* dx) {
  chosen<T>().activation_backward(rows, cols, x, dy, activation, offset, slant, dx);
}

template <class T>
void vector_lengths(std::int64_t rows, std::int64_t cols, VectorRows<const T> v, T eps,
                    T* lengths) {
  chosen<T>().vector_lengths(rows, cols, v, eps, lengths);
}

template <class T>
void add_lengths_gradient(std::int64_t rows, std::int64_t cols, VectorRows<const T> v,
                          const T* gradient, VectorRows<T> dv) {
  chosen<T>().add_lengths_gradient(rows, cols, v, gradient, dv);
}

template <class T>
void vector_relu(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input, T* y) {
  chosen<T>().vector_relu(rows, cols, input, y);
}

template <class T>
void vector_relu_backward(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input,
                          const VectorReluGradients<T>& gradients) {
  chosen<T>().vector_relu_backward(rows, cols, input, gradients);
}

template <class T>
void edge_sums(const EdgeShape& shape, const EdgeInput<T>& input, const T* pivot, double* sum,
               double* squares) {
  chosen<T>().edge_sums(shape, input, pivot, sum, squares);
}

template <class T>
void edge_max(const EdgeShape& shape, const EdgeInput<T>& input, T* largest, T* place) {
  chosen<T>().edge_max(shape, input, largest, place);
}

template <class T>
void edge_mean(const EdgeShape& shape, const EdgeInput<T>& input, const Activation<T>& activation,
               const EdgeMeans<T>& means) {
  chosen<T>().edge_mean(shape, input, activation, means);
}

template <class T>
void edge_backward(const EdgeShape& shape, const EdgeInput<T>& input,
                   const EdgeGradients<T>& gradients) {
  chosen<T>().edge_backward(shape, input, gradients);
}

template void column_sums(std::int64_t, std::int64_t, const float*, const float*, double*, double*);
template void activate(std::int64_t, std::int64_t, const float*, const Activation<float>&, float*);
template void activation_sums(std::int64_t, std::int64_t, const float*, const float*,
                              const Activation<float>&, const float*, double*, double*);
template void activation_backward(std::int64_t, std::int64_t, const float*, const float*,
                                  const Activation<float>&, const float*, const float*, float*);
template void vector_lengths(std::int64_t, std::int64_t, VectorRows<const float>, float, float*);
template void add_lengths_gradient(std::int64_t, std::int64_t, VectorRows<const float>,
                                   const float*, VectorRows<float>);
template void vector_relu(std::int64_t, std::int64_t, const VectorReluInput<float>&, float*);
template void vector_relu_backward(std::int64_t, std::int64_t, const VectorReluInput<float>&,
                                   const VectorReluGradients<float>&);
template void edge_sums(const EdgeShape&, const EdgeInput<float>&, const float*, double*, double*);
template void edge_max(const EdgeShape&, const EdgeInput<float>&, float*, float*);
template void edge_mean(const EdgeShape&, const EdgeInput<float>&, const Activation<float>&,
                        const EdgeMeans<float>&);
template void edge_backward(const EdgeShape&, const EdgeInput<float>&, const EdgeGradients<float>&);

template void column_sums(std::int64_t, std::int64_t, const double*, const double*, double*,
                          double*);
template void activate(std::int64_t, std::int64_t, const double*, const Activation<double>&,
                       double*);
template void activation_sums(std::int64_t, std::int64_t, const double*, const double*,
                              const Activation<double>&, const double*, double*, double*);
template void activation_backward(std::int64_t, std::int64_t, const double*, const double*,
                                  const Activation<double>&, const double*, const double*, double*);
template void vector_lengths(std::int64_t, std::int64_t, VectorRows<const double>, double, double*);
template void add_lengths_gradient(std::int64_t, std::int64_t, VectorRows<const double>,
                                   const double*, VectorRows<double>);
template void vector_relu(std::int64_t, std::int64_t, const VectorReluInput<double>&, double*);
template void vector_relu_backward(std::int64_t, std::int64_t, const VectorReluInput<double>&,
                                   const VectorReluGradients<double>&);
template void edge_sums(const EdgeShape&, const EdgeInput<double>&, const double*, double*,
                        double*);
template void edge_max(const EdgeShape&, const EdgeInput<double>&, double*, double*);
template void edge_mean(const EdgeShape&, const EdgeInput<double>&, const Activation<double>&,
                        const EdgeMeans<double>&);
template void edge_backward(const EdgeShape&, const EdgeInput<double>&,
                            const EdgeGradients<double>&);

}  // namespace equiframe::kernels::inline nn
