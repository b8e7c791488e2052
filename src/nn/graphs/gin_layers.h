// X <- act(lin((1 + eps) X + A X)), three times.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "nn/graphs/neighbor_sum.h"

namespace equiframe::inline nn {

/// The layers of a graph isomorphism network; each eps is trained, from a uniform start.
class GinLayers final : public torch::nn::Module {
 public:
  static constexpr int64_t kWidth = 64, kLayers = 3;

  explicit GinLayers(int64_t inputs) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const std::string number = std::to_string(k + 1);
      layer_.push_back(
          register_module("layer" + number, torch::nn::Linear(k == 0 ? inputs : kWidth, kWidth)));
      eps_.push_back(register_parameter("eps" + number, torch::rand({1})));
    }
  }

  /// h [B, N, C] -> [B, N, 64]
  Tensor forward(const Batch& graphs, Tensor h,
                 const std::function<Tensor(const Tensor&)>& activate) {
    for (size_t k = 0; k < layer_.size(); ++k)
      h = activate(layer_[k]->forward((1 + eps_[k]) * h + neighbor_sum(graphs, h)));
    return h;
  }

 private:
  std::vector<torch::nn::Linear> layer_;
  std::vector<Tensor> eps_;
};

}  // namespace equiframe::inline nn
