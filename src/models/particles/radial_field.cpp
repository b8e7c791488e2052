#include <vector>

#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/core/error.h"
#include "equiframe/models/model.h"
#include "nn/graphs/particles.h"

namespace equiframe::inline models {
namespace {

/// x_i += mean_j (x_i - x_j) tanh(w . SiLU(A [|x_i - x_j|, e_ij])) + psi(|v_i|) v_i, where
/// e_ij = [q_i q_j, |x_i - x_j|^2 at the input] and v are the input's in every layer (Koehler,
/// Klein, Noe 2019, with velocities as in Satorras et al. 2021).
class RadialFieldLayer final : public torch::nn::Module {
 public:
  explicit RadialFieldLayer(int64_t width)
      : edge_(register_module("edge", torch::nn::Linear(3, width))),
        edge_out_(register_module(
            "edge_out", torch::nn::Linear(torch::nn::LinearOptions(width, 1).bias(false)))),
        speed_(register_module("speed", torch::nn::Linear(1, width))),
        speed_out_(register_module("speed_out", torch::nn::Linear(width, 1))) {
    torch::nn::init::xavier_uniform_(edge_out_->weight, 0.001);
  }

  /// distance [P, 1], attributes [P, 2] -> [P, 1]
  Tensor force(const Tensor& distance, const Tensor& attributes) {
    const Tensor hidden = torch::silu(edge_->forward(torch::cat({distance, attributes}, 1)));
    return torch::tanh(edge_out_->forward(hidden));
  }

  /// speed [M, 1] -> [M, 1]
  Tensor drift(const Tensor& speed) {
    return speed_out_->forward(torch::silu(speed_->forward(speed)));
  }

 private:
  torch::nn::Linear edge_, edge_out_, speed_, speed_out_;
};

class RadialField final : public Model {
 public:
  explicit RadialField(const Options& options) {
    const int64_t width = options.get_int("width", 64), layers = options.get_int("layers", 4);
    if (width < 1 || layers < 1)
      throw UserError("model 'radial-field': width and layers must be at least 1");
    for (int64_t k = 0; k < layers; ++k)
      layers_.push_back(
          register_module("layer" + std::to_string(k), std::make_shared<RadialFieldLayer>(width)));
  }

  Signature signature() const override { return {.group = "E(3)"}; }

  Tensor forward(const Batch& batch) override {
    const Particles particles = read_particles(batch);
    const ParticlePairs pairs = all_pairs(batch);
    const auto gaps = [&](const Tensor& x) {
      return x.index_select(0, pairs.first) - x.index_select(0, pairs.second);
    };
    const auto sum_at_nodes = [&](const Tensor& first, const Tensor& second) {
      const Tensor zero = first.new_zeros({batch.size() * batch.nodes(), first.size(1)});
      return zero.index_add(0, pairs.first, first).index_add(0, pairs.second, second);
    };
    const Tensor v = particles.velocity.flatten(0, 1);                // [B N, 3]
    const Tensor speed = torch::linalg_vector_norm(v, 2, {1}, true);  // [B N, 1]
    const Tensor q = particles.charge.flatten(0, 1);                  // [B N, 1]
    const Tensor start = particles.position.flatten(0, 1);            // [B N, 3]
    const Tensor attributes =
        torch::cat({q.index_select(0, pairs.first) * q.index_select(0, pairs.second),
                    gaps(start).square().sum(1, /*keepdim=*/true)},
                   1);  // [P, 2]
    const Tensor one = attributes.new_ones({attributes.size(0), 1});
    const Tensor neighbors = sum_at_nodes(one, one).clamp_min(1);  // [B N, 1]
    Tensor x = start;
    for (const auto& layer : layers_) {
      const Tensor gap = gaps(x);  // [P, 3]
      const Tensor distance = torch::linalg_vector_norm(gap, 2, {1}, true);
      const Tensor pull = gap * layer->force(distance, attributes);  // on first, minus on second
      x = x + sum_at_nodes(pull, -pull) / neighbors + layer->drift(speed) * v;
    }
    return moved_positions(batch, (x - start).view_as(particles.position));
  }

 private:
  std::vector<std::shared_ptr<RadialFieldLayer>> layers_;
};

const bool kRadialFieldRegistered = Models::instance().add(
    "radial-field", "forces along the edges as a function of distance and charges",
    [](const Options& options) { return std::make_unique<RadialField>(options); });

}  // namespace
}  // namespace equiframe::inline models
