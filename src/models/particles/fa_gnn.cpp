#include <torch/types.h>

#include "equiframe/averaging/frame_average.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/models/model.h"
#include "models/particles/particle_system.h"
#include "nn/layers/message_layer.h"
#include "nn/layers/perceptron.h"

namespace equiframe::inline models {
namespace {

using Widths = std::vector<int64_t>;

/// What is averaged: one layer of message passing on framed features, behind an embedding if the
/// features are raw and before a decoder if it is the last.
class FramedLayer final : public FlipBackbone {
 public:
  enum class Place { kFirst, kMiddle, kLast, kOnly };

  FramedLayer(int64_t width, Place place) {
    if (place == Place::kFirst || place == Place::kOnly)
      embedding_ = register_module("embedding", std::make_shared<Perceptron>(Widths{6, width}));
    message_ = register_module("message", std::make_shared<MessageLayer>(
                                              MessageLayer::Shape{width, width, /*feature=*/2}));
    if (place == Place::kLast || place == Place::kOnly)
      decoder_ = register_module("decoder", std::make_shared<Perceptron>(Widths{width, width, 3}));
  }

  Tensor forward(const Batch& batch) override {
    const Tensor h = embedding_ ? embedding_->forward(batch.x) : batch.x;
    const Tensor next = message_->forward(h, batch.neighbors, batch.edge).h;
    return decoder_ ? decoder_->forward(next) : next;
  }

  Tensor flip_average(const Batch& batch, const Tensor& flips) override {
    if (embedding_ && decoder_) return average_of_copies(batch, flips);
    if (embedding_)
      return message_->embedded_flip_average(embedding_->last(), batch.x, batch.neighbors,
                                             batch.edge, flips);
    if (decoder_)
      return message_->decoded_flip_average(decoder_->first(), decoder_->last(), batch.x,
                                            batch.neighbors, batch.edge, flips);
    return message_->flip_average(batch.x, batch.neighbors, batch.edge, flips);
  }

 private:
  Tensor average_of_copies(const Batch& batch, const Tensor& flips) {
    const int64_t count = flips.size(0);
    Batch copies = batch.map([&](const Tensor& part) { return part.repeat_interleave(count, 0); });
    copies.x = flip(batch.x.unsqueeze(1).expand({-1, count, -1, -1}), flips).flatten(0, 1);
    return flip(forward(copies).unflatten(0, {batch.size(), count}), flips).mean(1);
  }

  /// S_k x_k for x [B, K, N, C].
  static Tensor flip(const Tensor& x, const Tensor& flips) {
    const Tensor signs = flips.repeat({1, x.size(3) / flips.size(1)});  // [K, C]
    return x * signs.unsqueeze(1);
  }

  std::shared_ptr<Perceptron> embedding_, decoder_;
  std::shared_ptr<MessageLayer> message_;
};

/// Sec. 3.3: message-passing layers, each averaged over a frame of its own input. Between them the
/// `width` channels are width/3 vectors; the next frame sees them as one point set, subtracts their
/// mean and does not give it back, so that latents are O(3)-equivariant and forget translations.
class FaGnn final : public Model {
 public:
  explicit FaGnn(const Options& options)
      : group_(euclidean(options.get("group", "E(3)"))),
        frame_(options.get("frame", "pca")),
        training_frame_(options.get("train_frame", "")),
        cutoff_(options.get_double("cutoff", 0)) {
    const int64_t width = options.get_int("width", 60), layers = options.get_int("layers", 4);
    if (width < 3 || width % 3 != 0)
      throw UserError(
          c10::str("fa-gnn: width = ", width, " cannot be read as vectors; use a multiple of 3"));
    if (layers < 1) throw UserError("fa-gnn: at least one layer is needed");
    for (int64_t k = 0; k < layers; ++k) add_block(k, layers, width);
  }

  Signature signature() const override {
    Signature signature;
    signature.group = group_.name();
    signature.frame = frame_;
    return signature;
  }

  void set_rng(const Rng& rng) override {
    for (size_t k = 0; k < blocks_.size(); ++k)
      blocks_[k]->set_rng({rng.seed + 0x9e3779b97f4a7c15u * k, rng.stream});
  }

  Tensor forward(const Batch& batch) override {
    const ParticleSystem particles = particle_system(batch, cutoff_);
    const Tensor distance =
        particles.separations(particles.position).square().sum(-1, /*keepdim=*/true);
    Batch state = batch;
    state.neighbors = particles.neighbors;
    state.edge = torch::cat({particles.charge_products(), distance}, -1);
    state.x = batch.x.narrow(2, 0, 6);
    for (const auto& block : blocks_) state.x = block->forward(state);
    const Tensor moved = group_.has_shifts() ? state.x + centroid(particles, batch.mask) : state.x;
    return keep_padding(batch, moved);
  }

 private:
  static EuclideanGroup euclidean(const std::string& text) {
    const AnyGroup any = parse_group(text);
    const auto* group = std::get_if<EuclideanGroup>(&any);
    if (group == nullptr || group->dim() != 3)
      throw UserError("fa-gnn: group '" + text +
                      "' does not move particles in space; use E(3), "
                      "SE(3), O(3) or SO(3)");
    return *group;
  }

  void add_block(int64_t k, int64_t layers, int64_t width) {
    using Place = FramedLayer::Place;
    const bool first = k == 0, last = k + 1 == layers;
    const Place place =
        first ? (last ? Place::kOnly : Place::kFirst) : (last ? Place::kLast : Place::kMiddle);
    const std::string vectors = std::to_string(width / 3);
    const FieldType in = FieldType::parse(
        first ? "point + vector" : vectors + (group_.has_shifts() ? " point" : " vector"));
    const FieldType out = FieldType::parse(last ? "vector" : vectors + " vector");
    auto block = std::make_shared<FrameAverage<EuclideanGroup>>(
        Symmetry<EuclideanGroup>{group_, in, out}, make_frame(frame_, group_, in),
        std::make_shared<FramedLayer>(width, place));
    if (!training_frame_.empty()) block->train_with(make_frame(training_frame_, group_, in));
    blocks_.push_back(register_module("block" + std::to_string(k + 1), std::move(block)));
  }

  /// The mean position of the real particles, [B, 1, 3].
  static Tensor centroid(const Particles& particles, const Tensor& mask) {
    if (!mask.defined()) return particles.position.mean(1, /*keepdim=*/true);
    const Tensor weight = mask.unsqueeze(-1).to(particles.position.dtype());
    return (particles.position * weight).sum(1, /*keepdim=*/true) /
           weight.sum(1, /*keepdim=*/true).clamp_min(1);
  }

  EuclideanGroup group_;
  std::string frame_, training_frame_;
  double cutoff_;
  std::vector<std::shared_ptr<FrameAverage<EuclideanGroup>>> blocks_;
};

const bool kFaGnnRegistered = Models::instance().add(
    "fa-gnn", "the paper's network: message passing, each layer averaged over a frame of its input",
    [](const Options& options) { return std::make_unique<FaGnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
