#include <torch/types.h>

#include "models/graphs/graph_model.h"
#include "nn/graphs/neighbor_sum.h"

namespace equiframe::inline models {
namespace {

/// X <- act(D^-1/2 (A + I) D^-1/2 X W + b), degrees with the loop; three layers of 64.
class Gcn final : public GraphModel {
 public:
  explicit Gcn(const Options& options) : GraphModel(options) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const std::string number = std::to_string(k + 1);
      weight_.push_back(
          register_parameter("weight" + number, glorot({k == 0 ? inputs() : kWidth, kWidth})));
      bias_.push_back(register_parameter("bias" + number, torch::zeros({kWidth})));
    }
    add_head(kWidth);
  }

 private:
  static constexpr int64_t kWidth = 64, kLayers = 3;

  bool takes_neighbors() const override { return true; }

  Tensor embed(const Batch& batch) override {
    const Tensor mask = node_mask(batch);
    const Tensor scale = (neighbor_sum(batch, mask) + 1).rsqrt() * mask;  // [B, N, 1]
    Tensor h = batch.x;
    for (size_t k = 0; k < weight_.size(); ++k) {
      const Tensor sent = scale * h.matmul(weight_[k]);
      h = activate(scale * (neighbor_sum(batch, sent) + sent) + bias_[k]);
    }
    return pool(h, batch);
  }

  std::vector<Tensor> weight_, bias_;
};

const bool kGcnRegistered =
    Models::instance().add("gcn", "graph convolution with normalised adjacency",
                           [](const Options& options) { return std::make_unique<Gcn>(options); });

}  // namespace
}  // namespace equiframe::inline models
