#pragma once

#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/core/tensor.h"
#include "nn/kernels/perceptron.h"

namespace equiframe::inline nn {

/// Linear maps with SiLU or ReLU between them, as one fused kernel (kernels/perceptron.h) in
/// float32 or float64. First derivatives only; `plain` is the same in ordinary tensor operations.
class Perceptron final : public torch::nn::Module {
 public:
  enum class LastBias { kYes, kNo };
  using Activation = kernels::Between;

  /// `widths`: of the input, of each hidden layer, of the output.
  explicit Perceptron(const std::vector<int64_t>& widths, LastBias last_bias = LastBias::kYes,
                      Activation activation = Activation::kSilu);

  /// x [..., in] -> [..., out], computed in the type of x whatever that of the parameters.
  Tensor forward(const Tensor& x);
  Tensor plain(const Tensor& x);

  torch::nn::Linear& first() { return layers_.front(); }
  torch::nn::Linear& last() { return layers_.back(); }

 private:
  std::vector<torch::nn::Linear> layers_;
  Activation activation_;
};

}  // namespace equiframe::inline nn
