#include <torch/nn/init.h>
#include <torch/types.h>

#include "equiframe/models/model.h"
#include "models/particles/particle_system.h"
#include "nn/layers/message_layer.h"
#include "nn/layers/perceptron.h"

namespace equiframe::inline models {
namespace {

/// One layer of EGNN with velocity, from h, x at its entry and the input's velocity v:
///   m_ij = phi_e(h_i, h_j, |r_ij|^2, e_ij),
///   x_i' = x_i + mean_j clamp(r_ij phi_x(m_ij)) + phi_v(h_i) v_i,   h_i' = h_i + phi_h(h_i, sum
///   m).
class EgnnLayer final : public torch::nn::Module {
 public:
  explicit EgnnLayer(int64_t width) {
    using Widths = std::vector<int64_t>;
    message_ = register_module("message", std::make_shared<MessageLayer>(
                                              MessageLayer::Shape{width, width, /*feature=*/3}));
    pull_ = register_module(
        "pull", std::make_shared<Perceptron>(Widths{width, width, 1}, Perceptron::LastBias::kNo));
    torch::nn::init::xavier_uniform_(pull_->last()->weight, /*gain=*/0.001);
    drift_ = register_module("drift", std::make_shared<Perceptron>(Widths{width, width, 1}));
  }

  /// h and x in place of those at the entry; `fixed` [B, N, D, 2] are the e_ij.
  void advance(const ParticleSystem& particles, const Tensor& fixed, Tensor& h, Tensor& x) {
    const Tensor r = particles.separations(x);
    const Tensor edge = torch::cat({r.square().sum(-1, /*keepdim=*/true), fixed}, -1);
    const auto next =
        message_->forward(h, particles.neighbors, edge, MessageLayer::Messages::kReturned);
    const Tensor pull = (r * pull_->forward(next.messages)).clamp(-kLargest, kLargest);
    x = x + particles.neighbor_mean(pull) + drift_->forward(h) * particles.velocity;
    h = next.h;
  }

 private:
  static constexpr double kLargest = 100;

  std::shared_ptr<MessageLayer> message_;
  std::shared_ptr<Perceptron> pull_, drift_;
};

class Egnn final : public Model {
 public:
  explicit Egnn(const Options& options) : cutoff_(options.get_double("cutoff", 0)) {
    const int64_t width = options.get_int("width", 64);
    embedding_ =
        register_module("embedding", std::make_shared<Perceptron>(std::vector<int64_t>{1, width}));
    for (int64_t k = 0; k < options.get_int("layers", 4); ++k)
      layers_.push_back(
          register_module("layer" + std::to_string(k + 1), std::make_shared<EgnnLayer>(width)));
  }

  Signature signature() const override {
    Signature signature;
    signature.group = "E(3)";
    return signature;
  }

  Tensor forward(const Batch& batch) override {
    const ParticleSystem particles = particle_system(batch, cutoff_);
    Tensor x = particles.position;
    const Tensor distance = particles.separations(x).square().sum(-1, /*keepdim=*/true);
    const Tensor fixed = torch::cat({particles.charge_products(), distance}, -1);
    Tensor h = embedding_->forward(particles.velocity.norm(2, -1, /*keepdim=*/true));
    for (const auto& layer : layers_) layer->advance(particles, fixed, h, x);
    return keep_padding(batch, x);
  }

 private:
  double cutoff_;
  std::shared_ptr<Perceptron> embedding_;
  std::vector<std::shared_ptr<EgnnLayer>> layers_;
};

const bool kEgnnRegistered =
    Models::instance().add("egnn", "EGNN with velocity, E(3) by invariant messages",
                           [](const Options& options) { return std::make_unique<Egnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
