#include <torch/nn/modules/batchnorm.h>
#include <torch/types.h>

#include "core/parallel.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model.h"
#include "nn/layers/fused.h"
#include "nn/layers/leading_axis.h"
#include "nn/layers/perceptron.h"
#include "normals/kernels/choice_features.h"

namespace equiframe::inline normals {
namespace {

/// [B, kChoiceChannels] -> [B, kChoiceFeatures].
Tensor inputs_of(const Tensor& rows) {
  const Tensor features = torch::empty({rows.size(0), kernels::kChoiceFeatures}, rows.options());
  fused::for_type(rows, "normal-choice", [&](auto zero) {
    using T = decltype(zero);
    for (int64_t b = 0; b < rows.size(0); ++b)
      kernels::choice_features<T>(rows.data_ptr<T>() + kernels::kChoiceChannels * b,
                                  features.data_ptr<T>() + kernels::kChoiceFeatures * b);
  });
  return features;
}

/// The last word on a normal. Candidates are those of the patch network and of the votes, which see
/// detail, and those of curved surfaces through up to 512 points, which average noise away. A
/// perceptron of invariant numbers weighs them; the result is the leading axis of
/// sum_c w_c n_c n_c^T, so it turns with the cloud. Option: `width`.
class NormalChoice final : public Model {
 public:
  explicit NormalChoice(const Options& options) {
    const int64_t width = options.get_int("width", 48);
    if (width < 1) throw UserError("normal-choice: width must be positive");
    // Without it the perceptron learns to trust the votes before it has learnt when not to.
    scale_ = register_module(
        "scale", torch::nn::BatchNorm1d(
                     torch::nn::BatchNormOptions(kernels::kChoiceFeatures).affine(false)));
    weigh_ = register_module(
        "weigh",
        std::make_shared<Perceptron>(
            std::vector<int64_t>{kernels::kChoiceFeatures, width, width, kernels::kCandidates},
            Perceptron::LastBias::kYes, Perceptron::Activation::kRelu));
    const torch::NoGradGuard no_grad;
    weigh_->last()->weight.mul_(kGentle);
    weigh_->last()->bias.zero_();
    weigh_->last()->bias[kVoted] = kUsual;
  }

  Signature signature() const override {
    return {"O(3)", "none",
            c10::str(kernels::kCandidates, " vector + ", kernels::kChoiceNumbers, " scalar"),
            "line"};
  }

  Tensor forward(const Batch& batch) override {
    if (batch.x.dim() != 3 || batch.x.size(1) != 1 || batch.x.size(2) != kernels::kChoiceChannels)
      throw UserError(c10::str("normal-choice takes rows [B, 1, ", kernels::kChoiceChannels,
                               "], got ", batch.x.sizes()));
    const Tensor rows = batch.x.squeeze(1).contiguous();
    const Tensor candidates =
        rows.narrow(1, 0, 3 * kernels::kCandidates).view({rows.size(0), kernels::kCandidates, 3});
    const Tensor weights =
        weigh_->forward(scale_->forward(inputs_of(rows))).softmax(1).unsqueeze(2);
    const Tensor lines = (candidates * weights).transpose(1, 2).bmm(candidates);
    return leading_axis(lines.flatten(1));
  }

 private:
  static constexpr int64_t kVoted = 1;
  static constexpr double kGentle = 0.1, kUsual = 2;  // a new model takes the votes
  torch::nn::BatchNorm1d scale_{nullptr};
  std::shared_ptr<Perceptron> weigh_;
};

const bool kNormalChoiceRegistered = Models::instance().add(
    "normal-choice", "the best of normals from small and large neighbourhoods of a point",
    [](const Options& options) { return std::make_unique<NormalChoice>(options); });

}  // namespace
}  // namespace equiframe::inline normals
