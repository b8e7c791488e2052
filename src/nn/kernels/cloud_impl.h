// The table of the kernels on point clouds as compiled for the instruction set of the including
// source.
#pragma once

#include "nn/kernels/batch_norm_impl.h"
#include "nn/kernels/cloud_kernels.h"
#include "nn/kernels/edge_pool_impl.h"
#include "nn/kernels/vector_relu_impl.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
constexpr CloudKernels<T> kCloudCompiledHere{
    &column_sums_here<T>,     &activate_here<T>,
    &activation_sums_here<T>, &activation_backward_here<T>,
    &vector_lengths_here<T>,  &add_lengths_gradient_here<T>,
    &vector_relu_here<T>,     &vector_relu_backward_here<T>,
    &edge_sums_here<T>,       &edge_max_here<T>,
    &edge_mean_here<T>,       &edge_backward_here<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn
