#include "training/engine/loss.h"

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline training {
namespace {

constexpr double kSmallAngle = 0.005;  // 0.3 degrees: what is below hardly counts

/// mean over real nodes of log(1 + |y - t|^2 / delta^2): far misses hardly pull.
Tensor cauchy_loss(double delta, const Tensor& prediction, const Example& example) {
  const Tensor squared = (prediction - example.target).square().sum(-1);  // [B, N] or [B]
  const Tensor& mask = example.input.mask;
  const bool per_node = mask.defined() && squared.sizes() == mask.sizes();
  return (per_node ? squared.masked_select(mask) : squared).div(delta * delta).log1p().mean();
}

/// (n.t)^2 of the directions of predicted and true normals, [B, N] or [B]. Computed as such, and
/// not from its difference to 1, it keeps its digits next to a right angle.
Tensor squared_cosines(const Tensor& prediction, const Example& example) {
  const Tensor target = example.target.to(prediction.dtype());
  TORCH_CHECK(prediction.sizes() == target.sizes() && target.size(-1) == 3, "the model returns ",
              prediction.sizes(), ", the data set has normals ", target.sizes());
  constexpr double kFloor = 1e-12;  // of |n|^2 |t|^2, so that a vanishing answer counts as wrong
  const Tensor product = (prediction * target).sum(-1).square();
  const Tensor lengths = prediction.square().sum(-1) * target.square().sum(-1);
  return product / lengths.clamp_min(kFloor);
}

/// The root mean square angle between unoriented normals over each item: rows of one `id`, or all
/// rows.
Tensor item_angles(const Tensor& prediction, const Example& example) {
  constexpr double kNearest = 1e-7, kFloor = 1e-8;  // off 1, and of the mean square
  const Tensor cosines = squared_cosines(prediction, example).flatten();
  const Tensor squares = (cosines.clamp_max(1 - kNearest) + 1e-14).sqrt().acos().square();
  const Tensor& id = example.input.id;
  if (!id.defined() || id.numel() != squares.numel())
    return (squares.mean() + kFloor).sqrt().view(1);
  const auto [names, item, counts] = at::_unique2(id, true, /*return_inverse=*/true, true);
  const Tensor sums = torch::zeros({names.numel()}, squares.options()).index_add(0, item, squares);
  return (sums / counts + kFloor).sqrt();
}

}  // namespace

Tensor real_numbers(const Example& example) {
  const Tensor& mask = example.input.mask;
  const bool per_node =
      mask.defined() && example.target.dim() == 3 && example.target.size(1) == mask.size(1);
  return per_node ? mask.unsqueeze(-1).expand_as(example.target) : Tensor();
}

Tensor classes(const Tensor& prediction, const Tensor& target) {
  TORCH_CHECK(prediction.dim() == 2 && target.numel() == prediction.size(0), "a classifier of ",
              target.numel(), " items returns ", prediction.sizes());
  const int64_t count = std::max<int64_t>(2, prediction.size(1));
  const Tensor wanted = target.reshape({-1}).to(torch::kLong);
  if (wanted.numel() > 0 &&
      (wanted.min().item<int64_t>() < 0 || wanted.max().item<int64_t>() >= count))
    throw UserError(c10::str("the data have classes up to ", wanted.max().item<int64_t>(),
                             ", the model tells ", count,
                             " apart, counted from 0; set model.classes"));
  return wanted;
}

Tensor cross_entropy(const Tensor& prediction, const Tensor& classes) {
  if (prediction.size(1) > 1)
    return torch::nll_loss(torch::log_softmax(prediction, 1), classes, {}, at::Reduction::None);
  return torch::binary_cross_entropy_with_logits(
      prediction.squeeze(1), classes.to(prediction.dtype()), {}, {}, at::Reduction::None);
}

Tensor unoriented_errors(const Tensor& prediction, const Example& example) {
  const Tensor errors = 1 - squared_cosines(prediction, example);
  return errors.dim() == 1 ? errors.unsqueeze(1) : errors;
}

Tensor training_loss(const TrainOptions& options, const Tensor& prediction,
                     const Example& example) {
  if (options.loss == LossKind::kCrossEntropy)
    return cross_entropy(prediction, classes(prediction, example.target)).mean();
  if (options.loss == LossKind::kUnoriented) {
    const Tensor errors = unoriented_errors(prediction, example);
    const Tensor& per_node = example.input.mask;
    const bool padded = per_node.defined() && per_node.sizes() == errors.sizes();
    return (padded ? errors.masked_select(per_node) : errors).mean();
  }
  if (options.loss == LossKind::kAngle) return item_angles(prediction, example).mean();
  if (options.loss == LossKind::kLogAngle)
    return (item_angles(prediction, example) + kSmallAngle).log().mean();
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
    case LossKind::kCrossEntropy:
    case LossKind::kUnoriented:
    case LossKind::kAngle:
    case LossKind::kLogAngle:
      break;
  }
  return torch::mse_loss(y, target);
}

}  // namespace equiframe::inline training
