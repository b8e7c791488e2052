#pragma once

#include <vector>

#include <ATen/core/ivalue.h>

#include "equiframe/core/tensor.h"
#include "nn/kernels/steerable/steerable.h"

namespace equiframe::inline nn {

/// The terms of one convolution, kept alive by the module and by the graphs it recorded.
struct SteerableTerms : torch::CustomClassHolder {
  std::vector<kernels::SteerableTerm> list;
  int64_t rows_out = 0;
};

/// The operands of kernels/steerable.h, contiguous and of one floating-point type.
struct SteerableOperands {
  Tensor features;  // [M, rows, channels_in]
  Tensor radial;    // [networks, P, H]
  Tensor basis;     // see kernels/steerable.h
  Tensor weight;    // [terms, H + 1, channels_in, channels_out]
  Tensor first;     // [P] int64
  Tensor second;    // [P] int64
};

/// The messages of both edges of each pair, [P, 2, rows_out, channels_out]. Differentiable once in
/// all floating-point operands; uses LibTorch's number of threads.
Tensor steerable_messages(const c10::intrusive_ptr<SteerableTerms>& terms,
                          const SteerableOperands& operands);

}  // namespace equiframe::inline nn
