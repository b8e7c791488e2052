#include "training/engine/metrics.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "training/engine/loss.h"

namespace equiframe::inline training {
namespace {

struct BatchScores {
  Tensor sums;    // [B] float64, errors
  Tensor counts;  // [B] float64, numbers they are sums of
  Tensor right;   // [B] bool, undefined without classes
};

BatchScores squared_errors(const Tensor& prediction, const Example& example) {
  TORCH_CHECK(prediction.sizes() == example.target.sizes(), "the model returns ",
              prediction.sizes(), ", the data set wants ", example.target.sizes());
  const Tensor difference = prediction.to(torch::kFloat64) - example.target.to(torch::kFloat64);
  const Tensor mask = real_numbers(example);
  const Tensor square = difference.square().flatten(1);  // [B, N C]
  if (!mask.defined())
    return {square.sum(1),
            torch::full({square.size(0)}, static_cast<double>(square.size(1)), torch::kFloat64),
            {}};
  const Tensor weights = mask.flatten(1).to(torch::kFloat64);
  return {
      torch::where(mask.flatten(1), square, torch::zeros_like(square)).sum(1), weights.sum(1), {}};
}

BatchScores class_errors(const Tensor& prediction, const Example& example) {
  const Tensor wanted = classes(prediction, example.target);
  const Tensor chosen =
      prediction.size(1) > 1 ? prediction.argmax(1) : prediction.squeeze(1).gt(0).to(torch::kLong);
  return {cross_entropy(prediction.to(torch::kFloat64), wanted),
          torch::ones({wanted.size(0)}, torch::kFloat64), chosen == wanted};
}

BatchScores normal_errors(const Tensor& prediction, const Example& example) {
  const Tensor errors = unoriented_errors(prediction.to(torch::kFloat64), example);  // [B, N]
  const Tensor& mask = example.input.mask;
  const Tensor real = mask.defined() && mask.sizes() == errors.sizes() ? mask.to(torch::kFloat64)
                                                                       : torch::ones_like(errors);
  return {(errors * real).sum(1), real.sum(1), {}};
}

BatchScores batch_scores(Measure measure, const Tensor& prediction, const Example& example) {
  switch (measure) {
    case Measure::kCrossEntropy:
      return class_errors(prediction, example);
    case Measure::kUnoriented:
      return normal_errors(prediction, example);
    case Measure::kSquaredError:
      break;
  }
  return squared_errors(prediction, example);
}

/// Runs f on the scores of every batch of the set, in order.
template <class F>
void for_each_batch(Backbone& model, const Dataset& data, int64_t batch, Measure measure, F&& f) {
  const torch::NoGradGuard no_grad;
  const bool was_training = model.is_training();
  model.eval();
  const auto type = type_of(model);
  for (int64_t start = 0; start < data.size(); start += batch) {
    const Tensor indices = torch::arange(start, std::min(start + batch, data.size()));
    const Example example = to_type(data.get(indices), type);
    f(batch_scores(measure, model.forward(example.input), example));
  }
  model.train(was_training);
}

}  // namespace

Measure measure_of(LossKind loss) {
  if (loss == LossKind::kUnoriented || loss == LossKind::kAngle || loss == LossKind::kLogAngle)
    return Measure::kUnoriented;
  return loss == LossKind::kCrossEntropy ? Measure::kCrossEntropy : Measure::kSquaredError;
}

Measure measure_of(const ModelCard& card) {
  if (card.metrics.contains("valid_normal_error")) return Measure::kUnoriented;
  return card.metrics.contains("valid_accuracy") ? Measure::kCrossEntropy : Measure::kSquaredError;
}

const char* error_name(Measure measure) {
  if (measure == Measure::kUnoriented) return "normal_error";
  return measure == Measure::kCrossEntropy ? "cross_entropy" : "mse";
}

const char* error_title(Measure measure) {
  if (measure == Measure::kUnoriented) return "1 - (n.n')^2";
  return measure == Measure::kCrossEntropy ? "cross-entropy" : "MSE";
}

std::map<std::string, double> named(const std::string& split, const Score& score) {
  std::map<std::string, double> result{{split + "_" + error_name(score.measure), score.error}};
  if (score.measure == Measure::kCrossEntropy) result[split + "_accuracy"] = score.accuracy;
  return result;
}

Score find_score(const std::map<std::string, double>& metrics, const std::string& split) {
  for (const Measure measure : {Measure::kSquaredError, Measure::kUnoriented}) {
    const auto found = metrics.find(split + "_" + error_name(measure));
    if (found != metrics.end()) return {found->second, NAN, measure};
  }
  return {metrics.at(split + "_cross_entropy"), metrics.at(split + "_accuracy"),
          Measure::kCrossEntropy};
}

std::string to_json_line(const Evaluation& e) {
  nlohmann::ordered_json line{
      {"epoch", e.epoch}, {"step", e.step}, {"lr", e.lr}, {"train_loss", e.train_loss}};
  for (const auto& [split, score] : {std::pair{"valid", e.valid}, std::pair{"test", e.test}})
    for (const auto& [name, value] : named(split, score)) line[name] = value;
  return line.dump() + "\n";
}

Evaluation parse_json_line(const std::string& line) {
  const auto numbers = nlohmann::json::parse(line).get<std::map<std::string, double>>();
  return {static_cast<int64_t>(numbers.at("epoch")),
          static_cast<int64_t>(numbers.at("step")),
          numbers.at("lr"),
          numbers.at("train_loss"),
          find_score(numbers, "valid"),
          find_score(numbers, "test")};
}

Score score(Backbone& model, const Dataset& data, int64_t batch, Measure measure) {
  double sum = 0, count = 0, right = 0;
  for_each_batch(model, data, batch, measure, [&](const BatchScores& scores) {
    sum += scores.sums.sum().item<double>();
    count += scores.counts.sum().item<double>();
    if (scores.right.defined()) right += scores.right.sum().item<double>();
  });
  const double least_one = std::max(1.0, count);
  return {sum / least_one, measure == Measure::kCrossEntropy ? right / least_one : NAN, measure};
}

ItemScores item_scores(Backbone& model, const Dataset& data, int64_t batch, Measure measure) {
  std::vector<Tensor> errors{torch::zeros({0}, torch::kFloat64)};
  std::vector<Tensor> right{torch::zeros({0}, torch::kBool)};
  for_each_batch(model, data, batch, measure, [&](const BatchScores& scores) {
    errors.push_back(scores.sums / scores.counts.clamp_min(1));
    if (scores.right.defined()) right.push_back(scores.right);
  });
  return {torch::cat(errors), measure == Measure::kCrossEntropy ? torch::cat(right) : Tensor()};
}

Example to_type(const Example& example, c10::ScalarType type) {
  return {to_type(example.input, type), example.target.to(type)};
}

}  // namespace equiframe::inline training
