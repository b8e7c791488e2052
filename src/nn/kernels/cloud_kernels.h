// The kernels of networks on point clouds compiled for each instruction set, chosen at run time.
#pragma once

#include "nn/kernels/batch_norm.h"
#include "nn/kernels/edge_pool.h"
#include "nn/kernels/vector_relu.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline nn {

template <class T>
struct CloudKernels {
  decltype(&column_sums<T>) column_sums;
  decltype(&activate<T>) activate;
  decltype(&activation_sums<T>) activation_sums;
  decltype(&activation_backward<T>) activation_backward;
  decltype(&vector_lengths<T>) vector_lengths;
  decltype(&add_lengths_gradient<T>) add_lengths_gradient;
  decltype(&vector_relu<T>) vector_relu;
  decltype(&vector_relu_backward<T>) vector_relu_backward;
  decltype(&edge_sums<T>) edge_sums;
  decltype(&edge_max<T>) edge_max;
  decltype(&edge_mean<T>) edge_mean;
  decltype(&edge_backward<T>) edge_backward;
};

/// The kernels of one instruction set, each defined in the source that is compiled for it.
const CloudKernels<float>& cloud_baseline_float();
const CloudKernels<double>& cloud_baseline_double();
const CloudKernels<float>& cloud_avx2_float();
const CloudKernels<double>& cloud_avx2_double();
const CloudKernels<float>& cloud_avx512_float();
const CloudKernels<double>& cloud_avx512_double();

/// The kernels of a level, which must not be above `highest_simd_level()`.
template <class T>
const CloudKernels<T>& cloud_kernels_of(SimdLevel level);

}  // namespace equiframe::kernels::inline nn
