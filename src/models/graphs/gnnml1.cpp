#include <torch/types.h>

#include "models/graphs/graph_model.h"

namespace equiframe::inline models {
namespace {

/// X <- act(lin1(X) + A X W + b + lin2(X) * lin3(X)); three layers of 64.
class Gnnml1 final : public GraphModel {
 public:
  explicit Gnnml1(const Options& options) : GraphModel(options) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const int64_t in = k == 0 ? inputs() : kWidth;
      const std::string number = std::to_string(k + 1);
      const auto linear = [&](const char* name) {
        return register_module(name + number, torch::nn::Linear(in, kWidth));
      };
      layer_.push_back({linear("self"), linear("left"), linear("right"),
                        register_parameter("weight" + number, glorot({in, kWidth})),
                        register_parameter("bias" + number, torch::zeros({kWidth}))});
    }
    add_head(kWidth);
  }

 private:
  static constexpr int64_t kWidth = 64, kLayers = 3;
  struct Layer {
    torch::nn::Linear self, left, right;
    Tensor weight, bias;
  };

  Tensor embed(const Batch& batch) override {
    const Tensor a = adjacency(batch);
    Tensor h = batch.x;
    for (Layer& layer : layer_)
      h = activate(layer.self->forward(h) + torch::bmm(a, h.matmul(layer.weight)) + layer.bias +
                   layer.left->forward(h) * layer.right->forward(h));
    return pool(h, batch);
  }

  std::vector<Layer> layer_;
};

const bool kGnnml1Registered = Models::instance().add(
    "gnnml1", "message passing with an elementwise product, as strong as 1-WL",
    [](const Options& options) { return std::make_unique<Gnnml1>(options); });

}  // namespace
}  // namespace equiframe::inline models
