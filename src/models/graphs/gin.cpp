#include <torch/types.h>

#include "models/graphs/graph_model.h"
#include "nn/graphs/gin_layers.h"

namespace equiframe::inline models {
namespace {

class Gin final : public GraphModel {
 public:
  explicit Gin(const Options& options)
      : GraphModel(options),
        layers_(register_module("layers", std::make_shared<GinLayers>(inputs()))) {
    add_head(GinLayers::kWidth);
  }

 private:
  bool takes_neighbors() const override { return true; }

  Tensor embed(const Batch& batch) override {
    return pool(layers_->forward(batch, batch.x, [this](const Tensor& x) { return activate(x); }),
                batch);
  }

  std::shared_ptr<GinLayers> layers_;
};

const bool kGinRegistered =
    Models::instance().add("gin", "graph isomorphism network, sums over neighbours",
                           [](const Options& options) { return std::make_unique<Gin>(options); });

}  // namespace
}  // namespace equiframe::inline models
