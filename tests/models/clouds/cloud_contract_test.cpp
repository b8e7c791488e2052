// What every registered model on point clouds must keep: adding a model adds it here.
#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/models/clouds.h"
#include "tests/models/registered.h"

namespace equiframe {
namespace {

using clouds::fresh;
using clouds::largest;
using clouds::made;
using clouds::predict;
using clouds::random_clouds;
using Linear = EuclideanGroup::Linear;

class EveryCloudModel : public testing::TestWithParam<std::string> {
 protected:
  /// The mean error over points of x R^T + t.
  double error(const Tensor& turn, at::ScalarType type = torch::kFloat64) const {
    const Tensor shift = torch::tensor({1.0, -2.0, 0.5}, torch::kFloat64);
    return clouds::equivariance_errors(*made(GetParam(), type), random_clouds(2, 24), turn, shift,
                                       type)
        .mean()
        .item<double>();
  }
};

TEST_P(EveryCloudModel, GivesEveryPointANormal) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const auto model = made(GetParam(), type);
    for (const int64_t nodes : {5, 24}) {
      const Tensor y = predict(*model, random_clouds(2, nodes).to(type));
      EXPECT_EQ(y.sizes(), (std::vector<int64_t>{2, nodes, 3}));
      EXPECT_EQ(y.scalar_type(), type);
      const Tensor length = y.norm(2, -1);
      EXPECT_LT(largest(length), 1 + 1e-5);
      EXPECT_GT(length.mean().item<double>(), 0.5) << nodes;  // untrained, averages are short
    }
  }
}

/// One or two points have no finite frame; every other answer is allowed but NaN.
TEST_P(EveryCloudModel, AnswersOrRefusesForVeryFewPoints) {
  const auto model = made(GetParam());
  const bool framed = model->signature().group != "none" && model->signature().frame != "none";
  const Tensor same = torch::ones({1, 6, 3}, torch::kFloat64);
  for (const Tensor& x : {random_clouds(1, 1), random_clouds(1, 2), same}) {
    if (framed)
      EXPECT_THROW(predict(*model, x), UserError);
    else
      EXPECT_TRUE(predict(*model, x).isfinite().all().item<bool>()) << x.size(1);
  }
  EXPECT_THROW(predict(*model, torch::zeros({1, 0, 3}, torch::kFloat64)), UserError);
}

TEST_P(EveryCloudModel, KeepsTheSymmetryItClaimsAndNoMore) {
  const std::string group = made(GetParam())->signature().group;
  const bool euclidean = group == "E(3)", special = euclidean || group == "SE(3)";
  const Tensor turn = clouds::random_turn(Linear::kRotations, 5);
  const double turned = error(turn), mirrored = error(-turn);
  EXPECT_EQ(turned < 1e-9, special) << turned;
  EXPECT_EQ(mirrored < 1e-9, euclidean) << mirrored;
  const double shifted = error(torch::eye(3, torch::kFloat64));
  EXPECT_EQ(shifted < 1e-9, special) << shifted;
  EXPECT_LT(special ? error(turn, torch::kFloat32) : 0, 1e-2);
}

TEST_P(EveryCloudModel, DoesNotCareAboutTheOrderOfPoints) {
  const auto model = made(GetParam());
  const Tensor x = random_clouds(2, 24);
  const Tensor order = torch::randperm(24, make_generator(4), torch::kLong);
  const Tensor permuted = predict(*model, x.index_select(1, order));
  EXPECT_LT(largest(permuted - predict(*model, x).index_select(1, order)), 1e-9);
}

TEST_P(EveryCloudModel, DoesNotSeePadding) {
  const auto model = made(GetParam());
  const Tensor a = random_clouds(1, 12, 1), b = random_clouds(1, 21, 2);
  Batch both(torch::full({2, 24, 3}, std::numeric_limits<double>::quiet_NaN(), torch::kFloat64));
  both.x[0].narrow(0, 0, 12).copy_(a[0]);
  both.x[1].narrow(0, 3, 21).copy_(b[0]);
  both.mask = torch::stack({torch::arange(24) < 12, torch::arange(24) >= 3});
  const Tensor y = predict(*model, both);
  EXPECT_LT(largest(y[0].narrow(0, 0, 12) - predict(*model, a)[0]), 1e-9);
  EXPECT_LT(largest(y[1].narrow(0, 3, 21) - predict(*model, b)[0]), 1e-9);
  EXPECT_EQ(largest(y[0].narrow(0, 12, 12)), 0);
  both.mask[0].fill_(false);
  EXPECT_THROW(predict(*model, both), UserError);
}

/// Not in training either, where batch norm looks at the whole batch.
TEST_P(EveryCloudModel, DoesNotTrainOnPadding) {
  const Tensor x = random_clouds(2, 12);
  Batch padded(torch::constant_pad_nd(x, {0, 0, 0, 6}, 50.0));
  padded.mask = torch::arange(18).lt(12).expand({2, 18}).contiguous();
  const auto trained = [&](const Batch& batch) {
    const auto model = fresh(GetParam());
    torch::manual_seed(3);
    const Tensor y = predict(*model, batch).narrow(1, 0, 12);
    model->eval();
    return torch::cat({y, predict(*model, x)});
  };
  EXPECT_LT(largest(trained(padded) - trained(x)), 1e-9);
}

TEST_P(EveryCloudModel, EvaluationIsDeterministicAndCloudsDoNotMeet) {
  const auto model = made(GetParam());
  const Tensor x = random_clouds(3, 20);
  const Tensor y = predict(*model, x);
  EXPECT_TRUE(torch::equal(y, predict(*model, x)));
  EXPECT_LT(largest(y.narrow(0, 1, 1) - predict(*model, x.narrow(0, 1, 1))), 1e-9);
}

TEST_P(EveryCloudModel, TakesPointsThatComeTwice) {
  const auto model = made(GetParam());
  const Tensor x = random_clouds(1, 12);
  EXPECT_TRUE(predict(*model, torch::cat({x, x}, 1)).isfinite().all().item<bool>());
}

/// A training step as the trainer takes it, with the same draws each time.
Tensor training_loss(Model& model, const Tensor& x) {
  torch::manual_seed(5);
  model.set_rng(Rng{1, 1});
  const Tensor loss = clouds::unoriented_loss(model.forward(x), clouds::outward(x));
  const Tensor more = model.regularizer();
  return more.defined() ? loss + more : loss;
}

TEST_P(EveryCloudModel, HasTheGradientOfEveryParameter) {
  const auto model = fresh(GetParam());
  const Tensor x = random_clouds(3, 12, 8);
  training_loss(*model, x).backward();
  const torch::NoGradGuard guard;
  double square = 0;
  for (const auto& p : model->named_parameters()) {
    ASSERT_TRUE(p.value().grad().defined()) << p.key();
    ASSERT_TRUE(p.value().grad().isfinite().all().item<bool>()) << p.key();
    square += p.value().grad().square().sum().item<double>();
  }
  // Along the gradient the loss rises by its length, as far as frames of features let it flow.
  const double h = 1e-8 / std::sqrt(square);
  const auto loss_at = [&](double step) {
    for (Tensor& p : model->parameters()) p.add_(p.grad(), step);
    return training_loss(*model, x).item<double>();
  };
  const double above = loss_at(h), below = loss_at(-2 * h);
  EXPECT_NEAR((above - below) / (2 * h * square), 1, 0.05);
}

TEST_P(EveryCloudModel, LearnsFromItsMistakes) {
  const auto model = fresh(GetParam(), torch::kFloat32);
  const Tensor x = random_clouds(3, 16, 8).to(torch::kFloat32);
  double first = 0, best = 1;
  for (int step = 0; step < 6; ++step) {
    model->zero_grad();
    const Tensor loss = training_loss(*model, x);
    if (step == 0) first = loss.item<double>();
    best = std::min(best, loss.item<double>());
    loss.backward();
    const torch::NoGradGuard guard;
    for (Tensor& p : model->parameters()) p.sub_(p.grad().sign(), 3e-4);  // Adam's first step
  }
  EXPECT_LT(best, 0.97 * first);
}

TEST_P(EveryCloudModel, TrainsOnASingleCloud) {
  EXPECT_TRUE(predict(*fresh(GetParam()), random_clouds(1, 12)).isfinite().all().item<bool>());
}

TEST_P(EveryCloudModel, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(make_model(GetParam() + "(widht=3)"), UserError);
  const auto model = make_model(GetParam());
  EXPECT_THROW(model->forward(torch::zeros({1, 5, 7})), UserError);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryCloudModel,
                         testing::ValuesIn(registered_models(Input::kClouds)), model_test_name);

TEST(CloudModels, HaveThePublishedNumbersOfParameters) {
  const std::map<std::string, int64_t> published{
      {"pointnet", 8332236},           {"fa-pointnet", 2509699},
      {"fa-local-pointnet", 2776318},  {"dgcnn", 1436809},
      {"fa-dgcnn", 1439881},           {"fa-dgcnn(variant=paper)", 1436809},
      {"vn-pointnet", 5074356 - 4096}, {"vn-pointnet(pool=max)", 5191078 - 4096},
      {"vn-dgcnn", 1300074 - 17536},   {"vn-dgcnn(pool=max)", 1301397 - 17536}};
  for (const auto& [call, count] : published)
    EXPECT_EQ(parameter_count(*make_model(call)), count) << call;
}

}  // namespace
}  // namespace equiframe
