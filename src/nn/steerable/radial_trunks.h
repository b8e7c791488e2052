#pragma once

#include <torch/nn/module.h>

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// z(r) of several radial networks at once: lin(1, 32), layer norm, ReLU, lin(32, 32), layer norm,
/// ReLU. The last layer of a network is the weight of the convolution that uses it.
class RadialTrunks final : public torch::nn::Module {
 public:
  static constexpr int64_t kWidth = 32;
  explicit RadialTrunks(int64_t networks);

  /// distance [P] -> [networks, P, kWidth]. Differentiable once; uses LibTorch's threads.
  Tensor forward(const Tensor& distance);

 private:
  Tensor parameters_;  // [networks, rows, kWidth], see kernels/radial_trunk.h
};

}  // namespace equiframe::inline nn
