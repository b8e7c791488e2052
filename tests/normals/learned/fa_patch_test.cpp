#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "normals/learned/normal_estimator.h"
#include "tests/models/normal_lines.h"

namespace equiframe {
namespace {

using clouds::lines;

constexpr double kUnit = 1e-5;

/// Patches of noisy bowls, nearest first, and some weights that are not those of the beginning.
Tensor bowls(int64_t count, int64_t points, uint64_t seed) {
  auto generator = make_generator(seed);
  const auto options = torch::TensorOptions(torch::kFloat64);
  Tensor x = torch::randn({count, points, 3}, generator, options);
  const Tensor bend = torch::randn({count, 1}, generator, options) * 0.3;
  x.select(2, 2) = bend * x.select(2, 0).square() + 0.1 * x.select(2, 2);
  x.select(1, 0).zero_();
  const Tensor order = std::get<1>(x.square().sum(2).sort(1));
  return x.gather(1, order.unsqueeze(2).expand_as(x));
}

std::unique_ptr<Model> random_model(const std::string& call, uint64_t seed) {
  torch::manual_seed(seed);
  auto model = make_model(call);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model->parameters())
    parameter.add_(torch::randn_like(parameter) * 0.1);
  model->to(torch::kFloat64);
  return model;
}

/// How far the lines of a turned patch are from its turned lines.
double turning_error(const std::string& call) {
  const auto model = random_model(call, 1);
  model->eval();
  const torch::NoGradGuard no_grad;
  const Tensor x = bowls(20, 192, 2);
  auto generator = make_generator(3);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator)[0];
  const Tensor expected = lines(model->forward(Batch(x)).matmul(turn.t()));
  const Tensor found = lines(model->forward(Batch(x.matmul(turn.t()))));
  return (expected - found).abs().max().item<double>();
}

TEST(FaPatch, TurnsWithThePatch) {
  EXPECT_LT(turning_error("fa-patch"), 1e-9);
}

TEST(FaPatch, WithoutItsFrameItDoesNotTurnWithThePatch) {
  EXPECT_GT(turning_error("fa-patch(frame=identity)"), 1e-2);
}

TEST(FaPatch, ShuffledNeighboursGiveTheSame) {
  const auto model = random_model("fa-patch", 1);
  model->eval();
  const torch::NoGradGuard no_grad;
  const Tensor x = bowls(5, 50, 2);
  const Tensor shuffled = x.index_select(1, torch::randperm(50));
  EXPECT_LT((lines(model->forward(Batch(x))) - lines(model->forward(Batch(shuffled))))
                .abs()
                .max()
                .item<double>(),
            1e-9);
}

TEST(FaPatch, ANewModelGivesTheWeightedPlane) {
  torch::manual_seed(1);
  const auto model = make_model("fa-patch(stages=0)");
  model->eval();
  Tensor x = bowls(4, 64, 5).to(torch::kFloat32);
  x.select(2, 1).zero_();
  const torch::NoGradGuard no_grad;
  EXPECT_LT(
      (model->forward(Batch(x)).abs() - torch::tensor({0.f, 1.f, 0.f})).abs().max().item<float>(),
      kUnit);
}

/// One patch after the other in a cloud: points far apart do not see one another.
TEST(NormalEstimator, GiveWhatTheModelGives) {
  const auto model = random_model("fa-patch", 4);
  model->eval();
  const torch::NoGradGuard no_grad;
  auto generator = make_generator(6);
  const Tensor points =
      torch::randn({500, 3}, generator, torch::kFloat64) * torch::tensor({1.0, 0.8, 0.1});
  const NeighborSearch search(points);
  const LearnedNormals found = NormalEstimator(*model).estimate(search);
  const Tensor near = search.nearest(NormalEstimator::kNeighbors).indices;
  const Tensor x = points.index_select(0, near.flatten()).view({500, -1, 3}) - points.unsqueeze(1);
  const Tensor expected = model->forward(Batch(x));
  EXPECT_LT((lines(found.normals.to(torch::kFloat64)) - lines(expected)).abs().max().item<double>(),
            1e-4);
  EXPECT_FALSE(found.degenerate.any().item<bool>());
}

TEST(NormalEstimator, RefuseAnotherModel) {
  EXPECT_THROW(NormalEstimator(*make_model("dgcnn")), UserError);
}

/// Compares the gradient of `value` with its differences, at some numbers of every parameter that
/// `wanted` says yes to.
template <class Value, class Wanted>
void expect_gradient(Model& model, const Value& value, const Wanted& wanted) {
  constexpr double kStep = 1e-6;
  value().backward();
  const torch::NoGradGuard no_grad;
  for (const auto& item : model.named_parameters()) {
    if (!wanted(item.key())) continue;
    Tensor flat = item.value().view(-1);
    for (int64_t k = 0; k < flat.numel(); k += 1 + flat.numel() / 5) {
      const double before = flat[k].item<double>();
      flat[k] = before + kStep;
      const double high = value().template item<double>();
      flat[k] = before - kStep;
      const double low = value().template item<double>();
      flat[k] = before;
      const double expected = (high - low) / (2 * kStep);
      EXPECT_NEAR(item.value().grad().view(-1)[k].item<double>(), expected,
                  1e-6 + 1e-4 * std::abs(expected))
          << item.key() << " " << k;
    }
  }
}

bool begins(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

/// Some numbers of the gradient of `value` and of its differences, in the parameters named `part`.
template <class Value>
std::pair<Tensor, Tensor> gradients(Model& model, const std::string& part, const Value& value) {
  constexpr double kStep = 1e-6;
  value().backward();
  const torch::NoGradGuard no_grad;
  std::vector<double> found, expected;
  for (const auto& item : model.named_parameters()) {
    if (!begins(item.key(), part) || item.key().find("score.bias") != std::string::npos) continue;
    Tensor flat = item.value().view(-1);
    for (int64_t k = 0; k < flat.numel(); k += 1 + flat.numel() / 5) {
      const double before = flat[k].item<double>();
      flat[k] = before + kStep;
      const double high = value().template item<double>();
      flat[k] = before - kStep;
      const double low = value().template item<double>();
      flat[k] = before;
      expected.push_back((high - low) / (2 * kStep));
      found.push_back(item.value().grad().view(-1)[k].item<double>());
    }
  }
  return {torch::tensor(found, torch::kFloat64), torch::tensor(expected, torch::kFloat64)};
}

/// Frames are taken as they are, so weights have a gradient that is not exact but points the way.
class WeightGradient : public testing::TestWithParam<const char*> {};

TEST_P(WeightGradient, PointsTheWayOfDifferences) {
  const std::string part = GetParam(), stages = part == "scales" ? "0" : "1";
  const auto model = random_model("fa-patch(train_frame=one, width=8, stages=" + stages + ")", 7);
  {
    const torch::NoGradGuard no_grad;  // no correction, which depends on the weights too
    for (const auto& item : model->named_parameters())
      if (item.key().find("slopes.layer2") != std::string::npos) item.value().zero_();
  }
  model->train();
  const Tensor x = bowls(12, 70, 8) * torch::tensor({1.0, 1.0, 0.4}, torch::kFloat64);
  const Tensor weights = torch::randn({12, 3}, torch::kFloat64);
  const auto value = [&] {
    model->set_rng({3, 1});
    return (model->forward(Batch(x)) * weights).sum(1).square().sum();
  };
  const auto [found, expected] = gradients(*model, part, value);
  const double cosine = ((found * expected).sum() / found.norm() / expected.norm()).item<double>();
  EXPECT_GT(cosine, 0.7);
}

INSTANTIATE_TEST_SUITE_P(OfParts, WeightGradient, testing::Values("scales", "stage1"));

TEST(PatchStep, HasTheGradientOfTheCorrection) {
  const auto model = random_model("fa-patch(train_frame=one, width=8)", 9);
  model->train();
  const Tensor x = bowls(6, 70, 10), weights = torch::randn({6, 3}, torch::kFloat64);
  const auto value = [&] {
    model->set_rng({3, 1});
    return (model->forward(Batch(x)) * weights).sum(1).square().sum();
  };
  expect_gradient(*model, value, [](const std::string& name) { return begins(name, "normal"); });
}

}  // namespace
}  // namespace equiframe
