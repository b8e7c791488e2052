#include <torch/types.h>

#include "models/graphs/averaged_graph_model.h"
#include "nn/graphs/gin_layers.h"

namespace equiframe::inline models {
namespace {

/// A graph isomorphism network whose nodes know their places: the identity matrix is appended to
/// the features after the nodes are ordered.
class GinId final : public AveragedGraphModel {
 public:
  explicit GinId(const Options& options)
      : AveragedGraphModel(options, options.get_int("nodes", 8)),
        layers_(register_module("layers", std::make_shared<GinLayers>(inputs() + nodes()))) {
    add_head(GinLayers::kWidth);
  }

 private:
  Tensor features_of(const Batch& ordered) override {
    const Tensor place =
        torch::eye(nodes(), ordered.x.options()).expand({ordered.size(), nodes(), nodes()});
    const Tensor x = torch::cat({ordered.x, place * node_mask(ordered)}, -1);
    return pool(layers_->forward(ordered, x, [this](const Tensor& h) { return activate(h); }),
                ordered);
  }

  std::shared_ptr<GinLayers> layers_;
};

const bool kGinIdRegistered =
    Models::instance().add("gin-id", "GIN that knows the places of nodes, averaged over a frame",
                           [](const Options& options) { return std::make_unique<GinId>(options); });

}  // namespace
}  // namespace equiframe::inline models
