#include <torch/nn/functional/linear.h>
#include <torch/types.h>

#include "core/parallel.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model.h"
#include "nn/layers/fused.h"
#include "nn/layers/leading_axis.h"
#include "nn/layers/perceptron.h"
#include "normals/kernels/network_constants.h"
#include "normals/learned/vote_rows.h"

namespace equiframe::inline normals {
namespace {

using kernels::VoteConstants;

constexpr int64_t kPatchNumbers = kPointStats + kernels::kCloudFeatures;

/// The votes on B points, in parts.
struct Votes {
  Tensor offsets, normals;  // [B, K, 3]
  Tensor own;               // [B, 3], the first normal of the point
  Tensor point_stats;       // [B, K, kPointStats]
  Tensor scatter;           // [B]
  Tensor patch;             // [B, kPatchNumbers]
};

Votes votes_of(const Tensor& x) {
  const Tensor point = x.select(1, 0);
  const Tensor own = point.narrow(1, 9 + kPointStats, kPointStats);
  return {x.narrow(2, 0, 3).contiguous(),
          x.narrow(2, 3, 3).contiguous(),
          point.narrow(1, 6, 3).contiguous(),
          x.narrow(2, 9, kPointStats).contiguous(),
          own.select(1, 2).contiguous(),
          torch::cat({own.narrow(1, 0, 2), (own.narrow(1, 2, 2) + VoteConstants::kMinShare).log(),
                      point.narrow(1, 9 + 2 * kPointStats, kernels::kCloudFeatures)},
                     1)};
}

/// [B, K, kVoteFeatures] seen from the normals [B, 3].
Tensor features_of(const Votes& votes, const Tensor& normals) {
  const int64_t patches = votes.offsets.size(0), count = votes.offsets.size(1);
  const Tensor features =
      torch::empty({patches, count, kernels::kVoteFeatures}, votes.offsets.options());
  const Tensor seen_from = normals.detach().contiguous();
  fused::for_type(features, "normal-votes", [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kTogether = 32;
    for_each_item(patches, kTogether, [&](int64_t b) {
      kernels::vote_features<T>(
          {count, votes.offsets.data_ptr<T>() + 3 * count * b,
           votes.normals.data_ptr<T>() + 3 * count * b,
           votes.point_stats.data_ptr<T>() + kPointStats * count * b},
          seen_from.data_ptr<T>() + 3 * b, votes.scatter.data_ptr<T>()[b],
          {features.data_ptr<T>() + kernels::kVoteFeatures * count * b, 1, kernels::kVoteFeatures});
    });
  });
  return features;
}

/// One look at all votes, from the normal as it is by now: what to add to the two logits of each
/// voter, and to the weight of the plane.
class VoteRound final : public torch::nn::Module {
 public:
  explicit VoteRound(int64_t width)
      : own_(register_module("own", torch::nn::Linear(kernels::kVoteFeatures, width))),
        patch_(register_module("patch", torch::nn::Linear(kPatchNumbers, width))),
        second_(register_module("second", torch::nn::Linear(width, width))),
        pooled_(register_module(
            "pooled", std::make_shared<Perceptron>(
                          std::vector<int64_t>{2 * width + kPatchNumbers, width, width + 1},
                          Perceptron::LastBias::kYes, Perceptron::Activation::kRelu))),
        score_(register_module("score", torch::nn::Linear(width, 2))) {
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : {score_->weight, score_->bias, pooled_->last()->weight}) {
      parameter.mul_(kGentle);
    }
  }

  struct Scores {
    Tensor voters;  // [B, K, 2]
    Tensor plane;   // [B]
  };
  Scores forward(const Votes& votes, const Tensor& normals) {
    const Tensor features = features_of(votes, normals);
    const Tensor hidden =
        (own_->forward(features) + patch_->forward(votes.patch).unsqueeze(1)).relu();
    const Tensor own = second_->forward(hidden);  // [B, K, W]
    const int64_t width = own.size(2);
    const Tensor pooled =
        pooled_->forward(torch::cat({std::get<0>(own.max(1)), own.mean(1), votes.patch}, 1));
    const Tensor context = pooled.narrow(1, 0, width).unsqueeze(1);
    return {score_->forward((own + context).relu()), pooled.select(1, width)};
  }

 private:
  static constexpr double kGentle = 0.1;  // the first vote is nearly that of a bell
  torch::nn::Linear own_, patch_, second_;
  std::shared_ptr<Perceptron> pooled_;
  torch::nn::Linear score_;
};

/// A second opinion on normals. The neighbours of a point vote on its normal n by their own normals
/// m_k and their places x_k: n is the leading axis of
///   sum_k a_k m_k m_k^T - g C,  C the covariance of the places with weights b_k, of trace one.
/// The weights a and b, each of sum one, and g come from a network that sees invariant numbers
/// only: the result turns with the cloud, and signs of normals do not matter. Each of several
/// rounds sees the votes from the normal found before. Options: `width`, `rounds`.
class NormalVotes final : public Model {
 public:
  explicit NormalVotes(const Options& options) {
    const int64_t width = options.get_int("width", 32), rounds = options.get_int("rounds", 2);
    if (width < 1 || rounds < 1) throw UserError("normal-votes: width and rounds must be positive");
    for (int64_t k = 0; k < rounds; ++k)
      rounds_.push_back(
          register_module("round" + std::to_string(k + 1), std::make_shared<VoteRound>(width)));
  }

  Signature signature() const override {
    return {"O(3)", "none",
            std::to_string(kVoteVectors) + " vector + " + std::to_string(kVoteScalars) + " scalar",
            "line"};
  }

  Tensor forward(const Batch& batch) override {
    if (batch.x.dim() != 3 || batch.x.size(2) != kVoteChannels)
      throw UserError(
          c10::str("normal-votes takes rows [B, K, ", kVoteChannels, "], got ", batch.x.sizes()));
    const Votes votes = votes_of(batch.x);
    const Tensor distance = votes.offsets.square().sum(2, /*keepdim=*/true).sqrt();
    Tensor logits = -distance * VoteConstants::kBell;  // [B, K, 1], both alike
    Tensor plane = torch::full({batch.size()}, VoteConstants::kUsualPlane, batch.x.options());
    Tensor normal = votes.own;
    for (const auto& round : rounds_) {
      const VoteRound::Scores scores = round->forward(votes, normal);
      logits = logits + scores.voters;
      plane = plane + scores.plane;
      normal = elect(votes, logits.softmax(1),
                     plane.clamp(-VoteConstants::kMaxPlane, VoteConstants::kMaxPlane).exp());
    }
    return normal;
  }

 private:
  /// `weights` [B, K, 2], `plane` [B].
  static Tensor elect(const Votes& votes, const Tensor& weights, const Tensor& plane) {
    const Tensor& x = votes.offsets;
    const Tensor a = weights.narrow(2, 0, 1), b = weights.narrow(2, 1, 1);
    const Tensor lines = (votes.normals * a).transpose(1, 2).bmm(votes.normals);
    const Tensor centred = x - (x * b).sum(1, /*keepdim=*/true);
    const Tensor covariance = (centred * b).transpose(1, 2).bmm(centred);
    const Tensor trace = covariance.diagonal(0, 1, 2).sum(1).clamp_min(VoteConstants::kMinTrace);
    return leading_axis((lines - covariance * (plane / trace).view({-1, 1, 1})).flatten(1));
  }

  std::vector<std::shared_ptr<VoteRound>> rounds_;
};

const bool kNormalVotesRegistered = Models::instance().add(
    "normal-votes", "better normals of a cloud from those of neighbouring points",
    [](const Options& options) { return std::make_unique<NormalVotes>(options); });

}  // namespace
}  // namespace equiframe::inline normals
