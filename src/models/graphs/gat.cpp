#include <limits>

#include <torch/types.h>

#include "models/graphs/graph_model.h"

namespace equiframe::inline models {
namespace {

/// Attention over neighbours and the node itself: 8 heads of 16, three layers. As in the version of
/// the library behind the published table, both ends of an edge are scored with one vector; the
/// second one is there, is counted, and takes no part.
class Gat final : public GraphModel {
 public:
  explicit Gat(const Options& options) : GraphModel(options) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const std::string number = std::to_string(k + 1);
      const auto add = [&](const char* name, const Tensor& value) {
        return register_parameter(name + number, value);
      };
      layer_.push_back({add("weight", glorot({k == 0 ? inputs() : kWidth, kWidth})),
                        add("score", glorot({1, kHeads, kHeadWidth})),
                        add("unused", glorot({1, kHeads, kHeadWidth})),
                        add("bias", torch::zeros({kWidth}))});
    }
    add_head(kWidth);
  }

 private:
  static constexpr int64_t kHeads = 8, kHeadWidth = 16, kWidth = kHeads * kHeadWidth, kLayers = 3;
  struct Layer {
    Tensor weight, score, unused, bias;
  };

  Tensor embed(const Batch& batch) override {
    const Tensor loops = torch::eye(batch.nodes(), batch.x.options());
    const Tensor absent = (adjacency(batch) + loops == 0).unsqueeze(1);  // [B, 1, N, N]
    Tensor h = batch.x;
    for (const Layer& layer : layer_) {
      const Tensor heads =
          h.matmul(layer.weight).unflatten(-1, {kHeads, kHeadWidth}).transpose(1, 2);
      const Tensor part = (heads * layer.score.unsqueeze(2)).sum(-1);  // [B, heads, N]
      const Tensor score = torch::leaky_relu(part.unsqueeze(-1) + part.unsqueeze(-2), 0.2);
      const Tensor attention =
          torch::softmax(score.masked_fill(absent, -std::numeric_limits<double>::infinity()), -1);
      h = activate(attention.matmul(heads).transpose(1, 2).flatten(2) + layer.bias);
    }
    return pool(h, batch);
  }

  std::vector<Layer> layer_;
};

const bool kGatRegistered =
    Models::instance().add("gat", "attention over neighbours, 8 heads of 16",
                           [](const Options& options) { return std::make_unique<Gat>(options); });

}  // namespace
}  // namespace equiframe::inline models
