#include <algorithm>
#include <cmath>
#include <vector>

#include <torch/types.h>

#include "equiframe/models/model.h"
#include "nn/steerable/steerable_convolution.h"

namespace equiframe::inline models {
namespace {

/// sum over the edges of softmax(<k_e, q_dst>) v_e, one head, with steerable convolutions as keys
/// and values and no skip connection. Keys have the degrees of the input.
class SteerableAttention final : public torch::nn::Module {
 public:
  SteerableAttention(const AngularBasis& basis, Fiber in, Fiber out)
      : key_{in.first, in.last, out.channels},
        values_(register_module("values", std::make_shared<SteerableConvolution>(basis, in, out))),
        keys_(register_module("keys", std::make_shared<SteerableConvolution>(basis, in, key_))),
        queries_(register_module("queries", std::make_shared<ChannelMixing>(in, key_))) {}

  Tensor forward(const Tensor& features, const ParticleGraph& graph) {
    const Tensor queries = queries_->forward(features).index_select(0, graph.target);
    const Tensor keys = keys_->forward(features, graph);  // [2 P, rows, channels]
    const double size = static_cast<double>(key_.rows() * key_.channels);
    const Tensor attention =
        softmax_at_targets(graph, (keys * queries).sum({1, 2}) / std::sqrt(size));
    return sum_at_targets(graph, attention.view({-1, 1, 1}) * values_->forward(features, graph));
  }

 private:
  Fiber key_;
  std::shared_ptr<SteerableConvolution> values_, keys_;
  std::shared_ptr<ChannelMixing> queries_;
};

/// SE(3)-transformer (Fuchs et al. 2020) in the form of Satorras et al. (2021).
class Se3Transformer final : public Model {
 public:
  explicit Se3Transformer(const Options& given)
      : options_(read_steerable_options(given, "se3-transformer",
                                        {.width = 64, .degree = 3, .layers = 4})),
        basis_(std::max<int64_t>(options_.degree, 2)) {
    Fiber in = kParticleFiber;
    const Fiber hidden = options_.hidden();
    for (int64_t k = 0; k < options_.layers; ++k) {
      const std::string number = std::to_string(k);
      blocks_.push_back(register_module("block" + number,
                                        std::make_shared<SteerableAttention>(basis_, in, hidden)));
      norms_.push_back(register_module(
          "norm" + number,
          std::make_shared<NormNonlinearity>(hidden, NormNonlinearity::Layers::kNone)));
      in = hidden;
    }
    last_ =
        register_module("last", std::make_shared<TensorFieldLayer>(basis_, in, kDisplacementFiber));
    scale_ = register_parameter("scale", torch::full({1}, 0.01));
  }

  Signature signature() const override { return {.group = "SE(3)"}; }

  Tensor forward(const Batch& batch) override {
    const Particles particles = read_particles(batch);
    const ParticleGraph graph = particle_graph(batch, particles.position, basis_);
    Tensor features = particle_features(particles);
    for (size_t k = 0; k < blocks_.size(); ++k)
      features = norms_[k]->forward(blocks_[k]->forward(features, graph));
    const Tensor output = scale_ * last_->forward(features, graph);
    return moved_positions(batch, output.view_as(particles.position));
  }

 private:
  SteerableOptions options_;
  AngularBasis basis_;
  std::vector<std::shared_ptr<SteerableAttention>> blocks_;
  std::vector<std::shared_ptr<NormNonlinearity>> norms_;
  std::shared_ptr<TensorFieldLayer> last_;
  Tensor scale_;
};

const bool kSe3TransformerRegistered = Models::instance().add(
    "se3-transformer", "attention over steerable keys and values",
    [](const Options& options) { return std::make_unique<Se3Transformer>(options); });

}  // namespace
}  // namespace equiframe::inline models
