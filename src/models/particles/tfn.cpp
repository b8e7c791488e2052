#include <algorithm>
#include <vector>

#include <torch/types.h>

#include "equiframe/models/model.h"
#include "nn/steerable/steerable_convolution.h"

namespace equiframe::inline models {
namespace {

/// Tensor field network (Thomas et al. 2018) in the form of Satorras et al. (2021): equivariant to
/// SE(3), because terms with J of the parity of li + lo + 1 turn vectors into pseudovectors.
class TensorFieldNetwork final : public Model {
 public:
  explicit TensorFieldNetwork(const Options& given)
      : options_(read_steerable_options(given, "tfn", {.width = 32, .degree = 2, .layers = 4})),
        basis_(std::max<int64_t>(options_.degree, 2)) {
    Fiber in = kParticleFiber;
    for (int64_t k = 0; k < options_.layers; ++k) {
      const bool last = k + 1 == options_.layers;
      const Fiber out = last ? kDisplacementFiber : options_.hidden();
      const std::string number = std::to_string(k);
      layers_.push_back(
          register_module("layer" + number, std::make_shared<TensorFieldLayer>(basis_, in, out)));
      if (!last)
        norms_.push_back(register_module(
            "norm" + number,
            std::make_shared<NormNonlinearity>(out, NormNonlinearity::Layers::kLinear)));
      in = out;
    }
  }

  Signature signature() const override { return {.group = "SE(3)"}; }

  Tensor forward(const Batch& batch) override {
    const Particles particles = read_particles(batch);
    const ParticleGraph graph = particle_graph(batch, particles.position, basis_);
    Tensor features = particle_features(particles);
    for (size_t k = 0; k < layers_.size(); ++k) {
      features = layers_[k]->forward(features, graph);
      if (k < norms_.size()) features = norms_[k]->forward(features);
    }
    return moved_positions(batch, features.view_as(particles.position));
  }

 private:
  SteerableOptions options_;
  AngularBasis basis_;
  std::vector<std::shared_ptr<TensorFieldLayer>> layers_;
  std::vector<std::shared_ptr<NormNonlinearity>> norms_;
};

const bool kTfnRegistered = Models::instance().add(
    "tfn", "tensor field network: steerable convolutions with radial networks",
    [](const Options& options) { return std::make_unique<TensorFieldNetwork>(options); });

}  // namespace
}  // namespace equiframe::inline models
