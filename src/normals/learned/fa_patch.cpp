#include <cmath>

#include <torch/types.h>

#include "equiframe/averaging/frame_average.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/models/model.h"
#include "models/clouds/normal_model.h"
#include "nn/layers/fused.h"
#include "nn/layers/leading_axis.h"
#include "nn/layers/perceptron.h"
#include "normals/kernels/network_constants.h"
#include "normals/kernels/patch_features.h"
#include "normals/kernels/patch_network.h"
#include "normals/learned/patch_step.h"
#include "normals/learned/plane_fit.h"

namespace equiframe::inline normals {
namespace {

using Motions = EuclideanGroup;
using Widths = std::vector<int64_t>;
using kernels::PatchConstants;

/// What each neighbour brings into a stage, lengths in units of the weighted patch's extent: its
/// place from the centre of the patch and from the query, and its direction from there; numbers
/// that do not turn, its own and those of the patch. Beside that come the points themselves, which
/// the frame is made of, and, for the last stage, the normal of a curved surface and its scatter.
constexpr int64_t kPointChannels = 3, kPlaces = 9, kJetChannels = 3;
constexpr int64_t kOwnScalars = kernels::kPointFeatures - 3 + 5;
constexpr int64_t kWhole = kernels::kPatchFeatures + kernels::kCloudFeatures;
constexpr int64_t kPatchScalars = kWhole + 6;
constexpr int64_t kScalars = kOwnScalars + kPatchScalars;
constexpr int64_t kInputs = kPlaces + kScalars;
constexpr int64_t kJetAt = kPointChannels + kPlaces, kScalarsAt = kJetAt + kJetChannels;
constexpr int64_t kScatterAt = kScalarsAt + kScalars;

/// Axes that tie to nine digits are drawn: no sampled surface has such a patch, but grids do.
constexpr const char* kUsualFrame = "pca(degenerate=sample, tolerance=1e-9)";

std::shared_ptr<Perceptron> relu_perceptron(const Widths& widths) {
  return std::make_shared<Perceptron>(widths, Perceptron::LastBias::kYes,
                                      Perceptron::Activation::kRelu);
}

/// The channels a perceptron of points reads.
Tensor own_inputs(const Tensor& x) {
  return torch::cat({x.narrow(2, kPointChannels, kPlaces), x.narrow(2, kScalarsAt, kScalars)}, 2);
}

/// A score for every neighbour, from itself and from the patch as a whole: [B, K, C] -> [B, K, 1].
class NeighbourScores final : public Backbone {
 public:
  explicit NeighbourScores(int64_t width)
      : own_(register_module("own", relu_perceptron({kInputs, width, width}))),
        patch_(register_module("patch", relu_perceptron({2 * width, width, width}))),
        score_(register_module("score", torch::nn::Linear(width, 1))) {}

  Tensor forward(const Batch& batch) override {
    const Tensor own = own_->forward(own_inputs(batch.x));  // [B, K, W]
    const Tensor pooled = torch::cat({std::get<0>(own.max(1)), own.mean(1)}, 1);
    return score_->forward((own + patch_->forward(pooled).unsqueeze(1)).relu());
  }

 private:
  std::shared_ptr<Perceptron> own_, patch_;
  torch::nn::Linear score_;
};

/// The normal in the frame, whose first axis is the normal of the weighted plane, as n n^T:
/// [B, K, C] -> [B, 1, 9]. Its slopes are those of the curved surface and a correction that
/// begins as zero.
class PatchNormal final : public Backbone {
 public:
  explicit PatchNormal(int64_t width)
      : own_(register_module("own", relu_perceptron({kInputs, width, width}))),
        slopes_(register_module("slopes", relu_perceptron({2 * width + 4, width, 2}))) {
    const torch::NoGradGuard no_grad;
    slopes_->last()->weight.zero_();
    slopes_->last()->bias.zero_();
  }

  Tensor forward(const Batch& batch) override {
    const Tensor own = own_->forward(own_inputs(batch.x)).relu();
    const Tensor mean = batch.weights.to(own.dtype()).unsqueeze(1).bmm(own).squeeze(1);
    const Tensor surface = batch.x.select(1, 0).narrow(1, kJetAt, kJetChannels);
    const Tensor jet = surface.narrow(1, 1, 2) / surface.narrow(1, 0, 1);
    const Tensor scatter = batch.x.select(1, 0).narrow(1, kScatterAt, 1);
    const Tensor pooled = torch::cat(
        {std::get<0>(own.max(1)), mean, jet, jet.square().sum(1, /*keepdim=*/true).sqrt(), scatter},
        1);
    const Tensor slopes = jet + slopes_->forward(pooled);
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
  Tensor windows;    // [B, scales, K]
  Tensor stiffness;  // [B] of the curved surface
};

Features features_of(const Tensor& x) {
  const int64_t patches = x.size(0), count = x.size(1);
  const Tensor points = torch::empty({patches, count, kernels::kPointFeatures}, x.options());
  const Tensor patch = torch::empty({patches, kernels::kPatchFeatures}, x.options());
  const Tensor windows = torch::empty({patches, kernels::kScales, count}, x.options());
  fused::for_type(x, "fa-patch", [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kTogether = 16;
    for_each_item(patches, kTogether, [&](int64_t b) {
      kernels::patch_features<T>(
          count, x.data_ptr<T>() + b * count * 3,
          {points.data_ptr<T>() + b * count * kernels::kPointFeatures, 1, kernels::kPointFeatures,
           patch.data_ptr<T>() + b * kernels::kPatchFeatures,
           windows.data_ptr<T>() + b * kernels::kScales * count, count});
    });
  });
  return {
      points.narrow(2, 0, 3), points.narrow(2, 3, kernels::kPointFeatures - 3), patch, windows, {}};
}

/// Numbers of the cloud of each patch, [B, C]: patches of one id, or all, come from one.
Tensor clouds_of(const Tensor& patches, const Tensor& id) {
  const Tensor result = torch::empty({patches.size(0), kernels::kCloudFeatures}, patches.options());
  const auto fill = [&](const Tensor& rows) {
    const Tensor own = patches.index_select(0, rows).contiguous();
    const Tensor cloud = torch::empty({kernels::kCloudFeatures}, patches.options());
    fused::for_type(patches, "fa-patch", [&](auto zero) {
      using T = decltype(zero);
      kernels::cloud_features<T>(own.size(0), own.data_ptr<T>(), cloud.data_ptr<T>());
    });
    result.index_put_({rows}, cloud);
  };
  if (!id.defined()) {
    if (patches.size(0) > 0) fill(torch::arange(patches.size(0)));
    return result;
  }
  const auto [names, item, counts] = at::_unique2(id, true, /*return_inverse=*/true, true);
  for (int64_t k = 0; k < names.numel(); ++k) fill((item == k).nonzero().squeeze(1));
  return result;
}

/// The curved surface through the weighted patch in its principal axes, see kernels::patch_jet.
struct Surface {
  Tensor normal;   // [B, 3] at the query, of either sign
  Tensor scatter;  // [B, 1], the logarithm of the scatter about it over the extent
};

/// `centred` [B, K, 3], `place` [B, 3] of the query, in units of the extent and in axes [B, 3, 3].
Surface surface_of(const Tensor& centred, const Tensor& place, const Tensor& weights,
                   const Tensor& axes, const Tensor& stiffness) {
  const Tensor flat = centred.bmm(axes).transpose(1, 2).contiguous();  // [B, 3, K]
  const Tensor at = place.unsqueeze(1).bmm(axes).squeeze(1).to(torch::kFloat64).contiguous();
  const Tensor w = weights.contiguous(), stiffnesses = stiffness.to(torch::kFloat64).contiguous();
  const auto* stiff = stiffnesses.data_ptr<double>();
  const int64_t patches = flat.size(0), count = flat.size(2);
  const Tensor local = torch::ones({patches, 3}, torch::kFloat64);
  const Tensor scatter = torch::empty({patches, 1}, torch::kFloat64);
  fused::for_type(flat, "fa-patch", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t b = 0; b < patches; ++b) {
      const T* h = flat.data_ptr<T>() + 3 * count * b;
      const double* q = at.data_ptr<double>() + 3 * b;
      const kernels::PatchJet jet =
          kernels::patch_jet<T>({count, h, h + count, h + 2 * count, w.data_ptr<T>() + count * b},
                                {q[1], q[2], stiff[b]});
      std::copy_n(jet.slopes, 2, local.data_ptr<double>() + 3 * b + 1);
      scatter.data_ptr<double>()[b] = std::log(jet.scatter + PatchConstants::kMinShare);
    }
  });
  return {axes.bmm(local.to(axes.dtype()).unsqueeze(2)).squeeze(2), scatter.to(axes.dtype())};
}

/// Unoriented normal of a surface at a point from its nearest neighbours, [B, K, 3] relative to it:
/// a network of invariant numbers chooses how many of them count, planes are fitted with learned
/// weights, stage after stage, and at last comes a curved surface with a learned correction. Every
/// stage sees the patch in the frame of the weights before it and is averaged over that frame, the
/// last one as n n^T. Options: `width`, `stages`, `frame`, and `train_frame`: another frame while
/// training, or "one", one random element of each, which is one fused kernel.
///
/// Patches of one `id` come from one cloud and know of each other: how rough the cloud is on all
/// scales tells noise from shape.
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
    scales_ = register_module("scales", relu_perceptron({kWhole, 2 * width, kernels::kScales + 1}));
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
    Features features = features_of(x);
    const Tensor clouds = clouds_of(features.patch, batch.id);
    if (is_training() && one_element_)
      return patch_step(x, clouds, random_flips(x.size(0)), parameters());
    features.patch = torch::cat({features.patch, clouds}, 1);
    const Tensor choice = scales_->forward(features.patch);
    features.stiffness =
        (choice.select(1, kernels::kScales)
             .clamp(-PatchConstants::kStiffnessLimit, PatchConstants::kStiffnessLimit) -
         PatchConstants::kUsualStiffness)
            .exp();
    Tensor logits = first_logits(features, choice);
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
    const FieldType in =
        FieldType::parse("point + 4 vector + " + std::to_string(kScalars + 1) + " scalar");
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
    constexpr double kMin = 1e-30;
    const auto [squares, order] = x.square().sum(-1).sort(/*stable=*/true, 1, /*descending=*/false);
    const Tensor radius = squares.select(1, -1).sqrt().clamp_min(kMin).view({-1, 1, 1});
    return (x.gather(1, order.unsqueeze(2).expand_as(x)) / radius).contiguous();
  }

  /// log of a mixture of windows of all scales, with the chosen shares.
  static Tensor first_logits(const Features& features, const Tensor& choice) {
    const Tensor shares = choice.narrow(1, 0, kernels::kScales).softmax(1).unsqueeze(1);
    const double rim = PatchConstants::kRim / static_cast<double>(features.windows.size(2));
    return (shares.bmm(features.windows).squeeze(1) + rim).log();
  }

  /// v / sqrt(1 + |v|^2 / 16), at most four.
  static Tensor limited(const Tensor& v) {
    return v / (1 + v.square().sum(-1, /*keepdim=*/true) /
                        (PatchConstants::kReach * PatchConstants::kReach))
                   .sqrt();
  }

  static Batch state_of(const Tensor& x, const Features& features, const Tensor& logits,
                        const Tensor& weights, const PlaneFit& plane) {
    const torch::NoGradGuard no_grad;
    const auto count = static_cast<double>(x.size(1));
    const Tensor roots = plane.values.clamp_min(0).sqrt();
    const Tensor extent =
        roots.square().sum(1, true).sqrt().clamp_min(PatchConstants::kMinExtent);  // [B, 1]
    const Tensor unit = extent.unsqueeze(2);
    const Tensor scatter =
        (roots.narrow(1, 0, 1).square() + (kernels::kFlatness * extent).square()).sqrt();
    const Tensor place = x / unit, centred = (x - plane.mean.unsqueeze(1)) / unit;
    const Tensor height = centred.bmm(plane.normal.unsqueeze(2)).abs();  // [B, K, 1]
    const Tensor off =
        (1 + centred.square().sum(2, true) / (PatchConstants::kReach * PatchConstants::kReach))
            .sqrt();
    const Tensor weight = weights.unsqueeze(2) * count;
    const Tensor logit = (logits - logits.amax(1, /*keepdim=*/true) + PatchConstants::kLogitLimit)
                             .clamp_min(0)
                             .unsqueeze(2);
    const Tensor along = (plane.mean * plane.normal).sum(1, true);
    const Tensor across = (plane.mean.square().sum(1, true) - along.square()).clamp_min(0).sqrt();
    const Tensor whole = torch::cat(
        {features.patch, (scatter / extent + PatchConstants::kMinShare).log(),
         roots.narrow(1, 1, 1) / roots.narrow(1, 2, 1).clamp_min(PatchConstants::kMinExtent),
         along.abs() / extent, across / extent, extent.log(), -weights.square().sum(1, true).log()},
        1);
    const Surface surface =
        surface_of(centred, -plane.mean / extent, weights, plane.axes, features.stiffness);
    const auto everywhere = [&](const Tensor& row) {
      return row.unsqueeze(1).expand({-1, x.size(1), -1});
    };
    Batch state(torch::cat(
        {x, limited(centred), limited(place), features.direction, everywhere(surface.normal),
         features.points, limited(place).square().sum(2, true).sqrt(), height / off,
         height / (height + (scatter / extent + PatchConstants::kBand).unsqueeze(2)), logit,
         weight / (1 + weight / PatchConstants::kHeavy), everywhere(whole),
         everywhere(surface.scatter)},
        2));
    state.weights = weights.detach();
    return state;
  }

  Motions group_;
  std::string frame_, training_frame_;
  bool one_element_;
  Rng rng_;
  std::shared_ptr<Perceptron> scales_;
  std::vector<std::shared_ptr<FrameAverage<Motions>>> stages_;
  std::shared_ptr<FrameAverage<Motions>> normal_;
};

const bool kFaPatchRegistered = Models::instance().add(
    "fa-patch", "normals from patches: planes with learned weights, averaged over frames",
    [](const Options& options) { return std::make_unique<FaPatch>(options); });

}  // namespace
}  // namespace equiframe::inline normals
