#include <torch/types.h>

#include "equiframe/models/model.h"
#include "models/particles/particle_system.h"
#include "nn/layers/message_layer.h"
#include "nn/layers/perceptron.h"

namespace equiframe::inline models {
namespace {

/// The message-passing baseline: it sees raw coordinates and is equivariant to permutations only.
class Gnn final : public Model {
 public:
  explicit Gnn(const Options& options) : cutoff_(options.get_double("cutoff", 0)) {
    const int64_t width = options.get_int("width", 64);
    embedding_ =
        register_module("embedding", std::make_shared<Perceptron>(std::vector<int64_t>{6, width}));
    for (int64_t k = 0; k < options.get_int("layers", 4); ++k)
      layers_.push_back(register_module(
          "message" + std::to_string(k + 1),
          std::make_shared<MessageLayer>(MessageLayer::Shape{width, width, /*feature=*/1})));
    decoder_ = register_module("decoder",
                               std::make_shared<Perceptron>(std::vector<int64_t>{width, width, 3}));
  }

  Signature signature() const override { return {}; }

  Tensor forward(const Batch& batch) override {
    const ParticleSystem particles = particle_system(batch, cutoff_);
    const Tensor edge = particles.charge_products();
    Tensor h = embedding_->forward(batch.x.narrow(2, 0, 6));
    for (const auto& layer : layers_) h = layer->forward(h, particles.neighbors, edge).h;
    return keep_padding(batch, decoder_->forward(h));
  }

 private:
  double cutoff_;
  std::shared_ptr<Perceptron> embedding_, decoder_;
  std::vector<std::shared_ptr<MessageLayer>> layers_;
};

const bool kGnnRegistered =
    Models::instance().add("gnn", "message passing on raw coordinates, no Euclidean symmetry",
                           [](const Options& options) { return std::make_unique<Gnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
