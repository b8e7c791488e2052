#include <torch/types.h>

#include "equiframe/models/graph_model.h"

namespace equiframe {
namespace {

/// X <- act(lin((1 + eps) X + A X)), eps trained, from a uniform start; three layers of 64.
class Gin final : public GraphModel {
 public:
  explicit Gin(const Options& options) : GraphModel(options, kWidth) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const std::string number = std::to_string(k + 1);
      layer_.push_back(
          register_module("layer" + number, torch::nn::Linear(k == 0 ? kInputs : kWidth, kWidth)));
      eps_.push_back(register_parameter("eps" + number, torch::rand({1})));
    }
  }

 private:
  static constexpr int64_t kWidth = 64, kLayers = 3;

  Tensor embed(const Batch& batch) override {
    const Tensor a = adjacency(batch);
    Tensor h = batch.x;
    for (size_t k = 0; k < layer_.size(); ++k)
      h = activate(layer_[k]->forward((1 + eps_[k]) * h + torch::bmm(a, h)));
    return pool(h, batch);
  }

  std::vector<torch::nn::Linear> layer_;
  std::vector<Tensor> eps_;
};

const bool kRegistered =
    Models::instance().add("gin", "graph isomorphism network, sums over neighbours",
                           [](const Options& options) { return std::make_unique<Gin>(options); });

}  // namespace
}  // namespace equiframe
