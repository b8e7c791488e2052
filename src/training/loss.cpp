#include "loss.h"

#include <torch/types.h>

namespace equiframe {
namespace {

/// mean over real nodes of log(1 + |y - t|^2 / delta^2): far misses hardly pull.
Tensor cauchy_loss(double delta, const Tensor& prediction, const Example& example) {
  const Tensor squared = (prediction - example.target).square().sum(-1);  // [B, N] or [B]
  const Tensor& mask = example.input.mask;
  const bool per_node = mask.defined() && squared.sizes() == mask.sizes();
  return (per_node ? squared.masked_select(mask) : squared).div(delta * delta).log1p().mean();
}

}  // namespace

Tensor real_numbers(const Example& example) {
  const Tensor& mask = example.input.mask;
  const bool per_node =
      mask.defined() && example.target.dim() == 3 && example.target.size(1) == mask.size(1);
  return per_node ? mask.unsqueeze(-1).expand_as(example.target) : Tensor();
}

Tensor training_loss(const TrainOptions& options, const Tensor& prediction,
                     const Example& example) {
  TORCH_CHECK(prediction.sizes() == example.target.sizes(), "the model returns ",
              prediction.sizes(), ", the data set wants ", example.target.sizes());
  const Tensor mask = real_numbers(example);
  const Tensor y = mask.defined() ? prediction.masked_select(mask) : prediction;
  const Tensor target = mask.defined() ? example.target.masked_select(mask) : example.target;
  switch (options.loss) {
    case LossKind::kCauchy:
      return cauchy_loss(options.cauchy_delta, prediction, example);
    case LossKind::kMae:
      return torch::l1_loss(y, target);
    case LossKind::kHuber:
      return torch::huber_loss(y, target, at::Reduction::Mean, options.huber_delta);
    case LossKind::kMse:
      break;
  }
  return torch::mse_loss(y, target);
}

}  // namespace equiframe
