#include <cmath>

#include <torch/types.h>

#include "equiframe/averaging/frame_average.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/kernels/patch_features.h"
#include "equiframe/kernels/patch_network.h"
#include "equiframe/models/model.h"
#include "equiframe/models/perceptron.h"
#include "fused.h"
#include "leading_axis.h"
#include "normal_model.h"
#include "patch_step.h"
#include "plane_fit.h"

namespace equiframe {
namespace {

using Motions = EuclideanGroup;
using Widths = std::vector<int64_t>;

/// What each neighbour brings into a stage: its place, once from the centre of the patch and once
/// from the query, and its direction from there; then numbers that do not turn: the features of
/// kernels/patch_features.h, and of the stage before its logit, its weight and its height over the
/// plane in two forms; and the numbers of the patch as a whole.
constexpr int64_t kPlaces = 9;
constexpr int64_t kOwnScalars = kernels::kPointFeatures - 3 + 4;
constexpr int64_t kPatchScalars = kernels::kPatchFeatures + 2;
constexpr int64_t kInputs = kPlaces + kOwnScalars + kPatchScalars;
constexpr int64_t kWeightInput = kPlaces + kernels::kPointFeatures - 3 + 1;
constexpr double kLogitLimit = 8;

/// Axes that tie to nine digits are drawn: no sampled surface has such a patch, but grids do.
constexpr const char* kUsualFrame = "pca(degenerate=sample, tolerance=1e-9)";

std::shared_ptr<Perceptron> relu_perceptron(const Widths& widths) {
  return std::make_shared<Perceptron>(widths, Perceptron::LastBias::kYes,
                                      Perceptron::Activation::kRelu);
}

/// A score for every neighbour, from itself and from the patch as a whole: [B, K, C] -> [B, K, 1].
class NeighbourScores final : public Backbone {
 public:
  explicit NeighbourScores(int64_t width)
      : own_(register_module("own", relu_perceptron({kInputs, width, width}))),
        patch_(register_module("patch", relu_perceptron({2 * width, width, width}))),
        score_(register_module("score", torch::nn::Linear(width, 1))) {}

  Tensor forward(const Batch& batch) override {
    const Tensor own = own_->forward(batch.x);  // [B, K, W]
    const Tensor pooled = torch::cat({std::get<0>(own.max(1)), own.mean(1)}, 1);
    return score_->forward((own + patch_->forward(pooled).unsqueeze(1)).relu());
  }

 private:
  std::shared_ptr<Perceptron> own_, patch_;
  torch::nn::Linear score_;
};

/// The normal in the frame, whose first axis is the normal of the weighted plane, as n n^T:
/// [B, K, C] -> [B, 1, 9]. It begins as that axis itself.
class PatchNormal final : public Backbone {
 public:
  explicit PatchNormal(int64_t width)
      : own_(register_module("own", relu_perceptron({kInputs, width, width}))),
        slopes_(register_module("slopes", relu_perceptron({2 * width, width, 2}))) {
    const torch::NoGradGuard no_grad;
    slopes_->last()->weight.zero_();
    slopes_->last()->bias.zero_();
  }

  Tensor forward(const Batch& batch) override {
    const Tensor own = own_->forward(batch.x).relu();
    const Tensor weights = batch.x.narrow(2, kWeightInput, 1).transpose(1, 2);  // [B, 1, K]
    const Tensor mean = weights.bmm(own).squeeze(1) / static_cast<double>(batch.nodes());
    const Tensor slopes = slopes_->forward(torch::cat({std::get<0>(own.max(1)), mean}, 1));
    const Tensor n =
        unit_vectors(torch::cat({torch::ones_like(slopes.narrow(1, 0, 1)), slopes}, 1));
    return (n.unsqueeze(2) * n.unsqueeze(1)).flatten(1).unsqueeze(1);
  }

 private:
  std::shared_ptr<Perceptron> own_, slopes_;
};

struct Features {
  Tensor direction;  // [B, K, 3]
  Tensor points;     // [B, K, C] without the direction
  Tensor patch;      // [B, C']
};

Features features_of(const Tensor& x) {
  const int64_t patches = x.size(0), count = x.size(1);
  const Tensor points = torch::empty({patches, count, kernels::kPointFeatures}, x.options());
  const Tensor patch = torch::empty({patches, kernels::kPatchFeatures}, x.options());
  fused::for_type(x, "fa-patch", [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kTogether = 16;
    for_each_item(patches, kTogether, [&](int64_t b) {
      kernels::patch_features<T>(
          count, x.data_ptr<T>() + b * count * 3,
          {points.data_ptr<T>() + b * count * kernels::kPointFeatures, 1, kernels::kPointFeatures,
           patch.data_ptr<T>() + b * kernels::kPatchFeatures});
    });
  });
  return {points.narrow(2, 0, 3), points.narrow(2, 3, kernels::kPointFeatures - 3), patch};
}

/// Unoriented normal of a surface at a point from its nearest neighbours, [B, K, 3] relative to it
/// and nearest first: planes fitted with learned weights, stage after stage, and at last a learned
/// correction. Every stage sees the patch in the frame of the weights before it and is averaged
/// over that frame, the last one as n n^T. Options: `width`, `stages`, `frame`, and `train_frame`:
/// another frame while training, or "one", one random element of each, which is one fused kernel.
class FaPatch final : public Model {
 public:
  explicit FaPatch(const Options& options)
      : group_(3, Motions::Linear::kRotations, Motions::Shifts::kAll),
        frame_(options.get("frame", kUsualFrame)),
        training_frame_(options.get("train_frame", "")),
        one_element_(training_frame_ == "one") {
    if (one_element_) training_frame_.clear();
    const int64_t width = options.get_int("width", 32), stages = options.get_int("stages", 2);
    if (width < 1 || stages < 0) throw UserError("fa-patch: width must be 1 or more, stages 0");
    for (int64_t k = 0; k < stages; ++k)
      stages_.push_back(
          register_module("stage" + std::to_string(k + 1),
                          averaged(std::make_shared<NeighbourScores>(width), "scalar")));
    normal_ = register_module("normal", averaged(std::make_shared<PatchNormal>(width), "tensor"));
  }

  Signature signature() const override { return {"SO(3)", frame_, "vector", "line"}; }

  void set_rng(const Rng& rng) override {
    rng_ = rng;
    constexpr uint64_t kApart = 0x9e3779b97f4a7c15;
    for (size_t k = 0; k < stages_.size(); ++k)
      stages_[k]->set_rng({rng.seed + kApart * (k + 1), rng.stream});
    normal_->set_rng(rng);
  }

  Tensor forward(const Batch& batch) override {
    require_points(batch);
    const Tensor x = nearest_first(batch.x);
    if (is_training() && one_element_) return patch_step(x, random_flips(x.size(0)), parameters());
    const Features features = features_of(x);
    Tensor logits = first_logits(x);
    Tensor weights = logits.softmax(1);
    PlaneFit plane = fit_plane(x, weights);
    for (const auto& stage : stages_) {
      const Batch state = state_of(x, features, logits, weights, plane);
      logits = logits + stage->forward(state).squeeze(-1);
      weights = logits.softmax(1);
      plane = fit_plane(x, weights);
    }
    const Tensor lines = normal_->forward(state_of(x, features, logits, weights, plane)).squeeze(1);
    const Tensor normal = leading_axis(lines);
    if (!is_training()) return normal;
    // The frame is taken as it is: the gradient that turns it comes in here, to first order.
    const Tensor along = (normal * plane.normal).sum(1, /*keepdim=*/true).detach().sign();
    return normal + along * (plane.normal - plane.normal.detach());
  }

 private:
  std::shared_ptr<FrameAverage<Motions>> averaged(std::shared_ptr<Backbone> net,
                                                  const std::string& out) const {
    const FieldType in = FieldType::parse("point + 2 vector + " +
                                          std::to_string(kOwnScalars + kPatchScalars) + " scalar");
    auto average = std::make_shared<FrameAverage<Motions>>(
        Symmetry<Motions>{group_, in, FieldType::parse(out)}, make_frame(frame_, group_, in),
        std::move(net));
    if (!training_frame_.empty()) average->train_with(make_frame(training_frame_, group_, in));
    return average;
  }

  /// A random element of the frame for each patch and stage.
  Tensor random_flips(int64_t patches) const {
    constexpr uint64_t kFlip = 0x666c6970;
    const auto draws = static_cast<int64_t>(stages_.size()) + 1;
    Tensor flips = torch::empty({patches, draws}, torch::kByte);
    for (int64_t k = 0; k < flips.numel(); ++k)
      flips.data_ptr<uint8_t>()[k] =
          static_cast<uint8_t>(rng_.below(kernels::kPatchFlips, static_cast<uint64_t>(k), kFlip));
    return flips;
  }

  /// In this order, and scaled into the unit ball.
  static Tensor nearest_first(const Tensor& x) {
    constexpr double kLeast = 1e-30;
    const auto [squares, order] = x.square().sum(-1).sort(/*stable=*/true, 1, /*descending=*/false);
    const Tensor radius = squares.select(1, -1).sqrt().clamp_min(kLeast).view({-1, 1, 1});
    return (x.gather(1, order.unsqueeze(2).expand_as(x)) / radius).contiguous();
  }

  /// log of ((1 - |x|^2)^2 + 0.001): near points first.
  static Tensor first_logits(const Tensor& x) {
    constexpr double kRim = 1e-3;
    return ((1 - x.square().sum(-1)).square() + kRim).log();
  }

  static Batch state_of(const Tensor& x, const Features& features, const Tensor& logits,
                        const Tensor& weights, const PlaneFit& plane) {
    const torch::NoGradGuard no_grad;
    const auto count = static_cast<double>(x.size(1));
    const Tensor scatter = plane.values.select(1, 0).clamp_min(0).sqrt();
    const Tensor extent = plane.values.clamp_min(0).sum(1).sqrt().clamp_min(1e-6);
    const Tensor height =
        (x - plane.mean.unsqueeze(1)).bmm(plane.normal.unsqueeze(2)).abs();  // [B, K, 1]
    const Tensor share = height / (height + (scatter + 0.02 * extent).view({-1, 1, 1}));
    const Tensor logit =
        (logits - logits.amax(1, /*keepdim=*/true) + kLogitLimit).clamp_min(0).unsqueeze(2);
    const Tensor whole = torch::cat(
        {features.patch, (scatter / extent + 1e-3).log().unsqueeze(1), extent.unsqueeze(1)}, 1);
    Batch state(
        torch::cat({x, x, features.direction, features.points, logit, weights.unsqueeze(2) * count,
                    height, share, whole.unsqueeze(1).expand({-1, x.size(1), -1})},
                   2));
    state.weights = weights.detach();
    return state;
  }

  Motions group_;
  std::string frame_, training_frame_;
  bool one_element_;
  Rng rng_;
  std::vector<std::shared_ptr<FrameAverage<Motions>>> stages_;
  std::shared_ptr<FrameAverage<Motions>> normal_;
};

const bool kRegistered = Models::instance().add(
    "fa-patch", "normals from patches: planes with learned weights, averaged over frames",
    [](const Options& options) { return std::make_unique<FaPatch>(options); });

}  // namespace
}  // namespace equiframe
