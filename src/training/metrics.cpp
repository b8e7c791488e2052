#include "equiframe/training/metrics.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "loss.h"

namespace equiframe {
namespace {

struct ItemErrors {
  Tensor sums;    // [B] float64
  Tensor counts;  // [B] float64
};

ItemErrors squared_errors(const Tensor& prediction, const Example& example) {
  TORCH_CHECK(prediction.sizes() == example.target.sizes(), "the model returns ",
              prediction.sizes(), ", the data set wants ", example.target.sizes());
  const Tensor difference = prediction.to(torch::kFloat64) - example.target.to(torch::kFloat64);
  const Tensor mask = real_numbers(example);
  const Tensor square = difference.square().flatten(1);  // [B, N C]
  if (!mask.defined())
    return {square.sum(1),
            torch::full({square.size(0)}, static_cast<double>(square.size(1)), torch::kFloat64)};
  const Tensor weights = mask.flatten(1).to(torch::kFloat64);
  return {torch::where(mask.flatten(1), square, torch::zeros_like(square)).sum(1), weights.sum(1)};
}

/// Runs f on the prediction of every batch of the set, in order.
template <class F>
void for_each_batch(Backbone& model, const Dataset& data, int64_t batch, F&& f) {
  const torch::NoGradGuard no_grad;
  const bool was_training = model.is_training();
  model.eval();
  const auto type = type_of(model);
  for (int64_t start = 0; start < data.size(); start += batch) {
    const Tensor indices = torch::arange(start, std::min(start + batch, data.size()));
    const Example example = to_type(data.get(indices), type);
    f(squared_errors(model.forward(example.input), example));
  }
  model.train(was_training);
}

}  // namespace

std::string to_json_line(const Evaluation& e) {
  const nlohmann::ordered_json line{
      {"epoch", e.epoch},           {"step", e.step},           {"lr", e.lr},
      {"train_loss", e.train_loss}, {"valid_mse", e.valid_mse}, {"test_mse", e.test_mse}};
  return line.dump() + "\n";
}

double mean_squared_error(Backbone& model, const Dataset& data, int64_t batch) {
  double sum = 0, count = 0;
  for_each_batch(model, data, batch, [&](const ItemErrors& errors) {
    sum += errors.sums.sum().item<double>();
    count += errors.counts.sum().item<double>();
  });
  return sum / std::max(1.0, count);
}

Tensor item_errors(Backbone& model, const Dataset& data, int64_t batch) {
  std::vector<Tensor> pieces;
  for_each_batch(model, data, batch, [&](const ItemErrors& errors) {
    pieces.push_back(errors.sums / errors.counts.clamp_min(1));
  });
  return pieces.empty() ? torch::zeros({0}, torch::kFloat64) : torch::cat(pieces);
}

Batch to_type(const Batch& batch, c10::ScalarType type) {
  return batch.map([&](const Tensor& t) { return t.is_floating_point() ? t.to(type) : t; });
}

Example to_type(const Example& example, c10::ScalarType type) {
  return {to_type(example.input, type), example.target.to(type)};
}

c10::ScalarType type_of(const torch::nn::Module& model) {
  const auto parameters = model.parameters();
  return parameters.empty() ? torch::kFloat32 : parameters.front().scalar_type();
}

}  // namespace equiframe
