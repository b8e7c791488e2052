#include <torch/types.h>

#include "equiframe/core/error.h"
#include "models/clouds/framed_normals.h"
#include "nn/layers/row_norm.h"

namespace equiframe::inline models {
namespace {

/// Layers h_i' = ReLU(norm(A h_i + B mean_j h_j + b)), and an output for each point or, of the mean
/// over the points, one number for the cloud.
class DeepSetsBody final : public torch::nn::Module {
 public:
  enum class Output { kPoints, kCloud };

  DeepSetsBody(int64_t width, int64_t layers, Output output) : output_(output) {
    for (int64_t k = 0; k < layers; ++k)
      layers_.push_back(register_module(
          c10::str("layer", k + 1),
          std::make_shared<NormLinear>(2 * (k == 0 ? 3 : width), width, slope::kRelu)));
    hidden_ = register_module("hidden", torch::nn::Linear(width, width));
    last_ = register_module("last", torch::nn::Linear(width, output == Output::kPoints ? 3 : 1));
  }

  /// x [R, 3] -> [R, 3] or [M, 1].
  Tensor forward(const PackedPoints& rows, const Tensor& x) {
    Tensor h = x;
    for (const auto& layer : layers_) {
      const int64_t in = h.size(1);
      const Tensor shared = torch::addmm(layer->linear->bias, rows.mean(h), layer->columns(in, in));
      h = layer->finish(rows.add(h.mm(layer->columns(0, in)), shared));
    }
    if (output_ == Output::kCloud) h = rows.mean(h);
    return last_->forward(torch::relu(hidden_->forward(h)));
  }

 private:
  Output output_;
  std::vector<std::shared_ptr<NormLinear>> layers_;
  torch::nn::Linear hidden_{nullptr}, last_{nullptr};
};

/// One number for each cloud.
class CloudBackbone final : public Backbone {
 public:
  explicit CloudBackbone(std::shared_ptr<DeepSetsBody> body)
      : body_(register_module("body", std::move(body))) {}
  Tensor forward(const Batch& batch) override {
    const PackedPoints rows(batch);
    return body_->forward(rows, rows.pack(batch.x));
  }

 private:
  std::shared_ptr<DeepSetsBody> body_;
};

/// DeepSets (Zaheer et al., 2017), the backbone of the paper's Corollary 2, which names no sizes:
/// these are ours. Options `width`, `layers`; `target` = normals, or invariant: a number [B, 1] for
/// each cloud; `frame`, by default none of the group (identity): frame=pca makes it the universal
/// FA-DeepSets. For the others see FramedNormals.
class DeepSets final : public Model {
 public:
  explicit DeepSets(const Options& options) : group_(group_option(options, "deep-sets")) {
    const int64_t width = options.get_int("width", 256), layers = options.get_int("layers", 4);
    if (width < 1 || layers < 1) throw UserError("deep-sets: width and layers must be 1 or more");
    const FieldType in = FieldType::parse("point");
    if (options.get_choice("target", {"normals", "invariant"}) == 0) {
      normals_ = register_module("normals", std::make_shared<FramedNormals>(
                                                group_, in, options,
                                                rows_backbone(std::make_shared<DeepSetsBody>(
                                                    width, layers, DeepSetsBody::Output::kPoints)),
                                                kUsualFrame));
      return;
    }
    frame_ = options.get("frame", kUsualFrame);
    invariant_ = register_module(
        "invariant", std::make_shared<FrameAverage<EuclideanGroup>>(
                         Symmetry<EuclideanGroup>{group_, in, FieldType::parse("scalar")},
                         make_frame(frame_, group_, in),
                         std::make_shared<CloudBackbone>(std::make_shared<DeepSetsBody>(
                             width, layers, DeepSetsBody::Output::kCloud))));
    const std::string training = options.get("train_frame", "");
    if (!training.empty()) invariant_->train_with(make_frame(training, group_, in));
  }

  Signature signature() const override {
    const bool exact =
        normals_ ? normals_->is_exact() : invariant_->frame().guarantee() == Guarantee::kExact;
    return {exact ? group_.name() : "none", normals_ ? normals_->frame_name() : frame_, "point",
            normals_ ? "vector" : "scalar"};
  }
  void set_rng(const Rng& rng) override {
    if (normals_) return normals_->set_rng(rng);
    invariant_->set_rng(rng);
  }

  Tensor forward(const Batch& batch) override {
    require_points(batch);
    if (invariant_) return invariant_->forward(batch);
    return normals_along(normals_->forward(batch), batch.mask);
  }

 private:
  static constexpr const char* kUsualFrame = "identity";

  EuclideanGroup group_;
  std::string frame_;
  std::shared_ptr<FramedNormals> normals_;
  std::shared_ptr<FrameAverage<EuclideanGroup>> invariant_;
};

const bool kDeepSetsRegistered = Models::instance().add(
    "deep-sets", "normals or invariants: DeepSets, with a frame equivariant and universal",
    [](const Options& options) { return std::make_unique<DeepSets>(options); });

}  // namespace
}  // namespace equiframe::inline models
