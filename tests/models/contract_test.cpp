// What every registered model on particles must keep: adding a model adds it here.
#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "equiframe/models/model.h"
#include "tests/models/particles/particles.h"
#include "tests/models/registered.h"

namespace equiframe {
namespace {

using Linear = EuclideanGroup::Linear;

std::unique_ptr<Model> fresh_model(const std::string& name, c10::ScalarType type) {
  torch::manual_seed(7);
  auto model = make_model(name);
  model->to(type);
  model->eval();
  return model;
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  /// max |f(gX) - g f(X)| over some motions with or without reflections.
  double equivariance_error(c10::ScalarType type, Linear linear, double shift) const {
    const torch::NoGradGuard guard;
    const auto model = fresh_model(GetParam(), type);
    torch::manual_seed(3);
    const Tensor x = random_particles(12, 5, type);
    double worst = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      Tensor turn = random_turn(linear, seed);
      if (linear == Linear::kOrthogonal && seed == 1) turn = -torch::eye(3, torch::kFloat64);
      const Tensor step = shift * torch::randn({3}, torch::kFloat64);
      const Tensor image = model->forward(moved(x, turn, step)).to(torch::kFloat64);
      const Tensor expected = model->forward(x).to(torch::kFloat64).matmul(turn.t()) + step;
      worst = std::max(worst, (image - expected).abs().max().item<double>());
    }
    return worst;
  }
};

TEST_P(EveryModel, PredictsAPlaceForEveryParticle) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const auto model = fresh_model(GetParam(), type);
    for (const int64_t nodes : {1, 2, 5, 9}) {
      torch::manual_seed(1);
      const Tensor x = random_particles(3, nodes, type);
      if (nodes < 3 && model->signature().frame == "pca") continue;  // no axes to find
      const Tensor y = model->forward(x);
      EXPECT_EQ(y.sizes(), (std::vector<int64_t>{3, nodes, 3}));
      EXPECT_EQ(y.scalar_type(), type);
      EXPECT_TRUE(y.isfinite().all().item<bool>()) << nodes;
    }
  }
}

TEST_P(EveryModel, KeepsTheSymmetryItClaimsAndNoMore) {
  const std::string group = fresh_model(GetParam(), torch::kFloat64)->signature().group;
  const bool euclidean = group == "E(3)", special = euclidean || group == "SE(3)";
  const double turned = equivariance_error(torch::kFloat64, Linear::kRotations, 1);
  const double mirrored = equivariance_error(torch::kFloat64, Linear::kOrthogonal, 1);
  EXPECT_EQ(turned < 1e-9, special) << turned;
  EXPECT_EQ(mirrored < 1e-9, euclidean) << mirrored;
  if (!special) return;
  EXPECT_LT(equivariance_error(torch::kFloat32, Linear::kRotations, 1), 2e-4);
}

TEST_P(EveryModel, DoesNotCareAboutTheOrderOfParticles) {
  const torch::NoGradGuard guard;
  const auto model = fresh_model(GetParam(), torch::kFloat64);
  torch::manual_seed(4);
  const Tensor x = random_particles(6, 5, torch::kFloat64);
  const Tensor order = torch::tensor({3, 1, 4, 0, 2}, torch::kLong);
  const Tensor permuted = model->forward(x.index_select(1, order));
  EXPECT_LT((permuted - model->forward(x).index_select(1, order)).abs().max().item<double>(), 1e-9);
}

TEST_P(EveryModel, PaddingChangesNothing) {
  const torch::NoGradGuard guard;
  const auto model = fresh_model(GetParam(), torch::kFloat64);
  torch::manual_seed(5);
  const Tensor x = random_particles(4, 5, torch::kFloat64);
  Batch padded(torch::cat({x, 100 * torch::randn({4, 3, 7}, torch::kFloat64)}, 1));
  padded.mask = torch::arange(8).lt(5).expand({4, 8}).contiguous();
  const Tensor y = model->forward(padded);
  EXPECT_LT((y.narrow(1, 0, 5) - model->forward(x)).abs().max().item<double>(), 1e-9);
  EXPECT_TRUE(torch::equal(y.narrow(1, 5, 3), padded.x.narrow(1, 5, 3).narrow(2, 0, 3)));
}

TEST_P(EveryModel, EvaluationIsDeterministicAndItemsDoNotMeet) {
  const torch::NoGradGuard guard;
  const auto model = fresh_model(GetParam(), torch::kFloat64);
  torch::manual_seed(6);
  const Tensor x = random_particles(5, 5, torch::kFloat64);
  const Tensor y = model->forward(x);
  EXPECT_TRUE(torch::equal(y, model->forward(x)));
  EXPECT_LT((y.narrow(0, 2, 2) - model->forward(x.narrow(0, 2, 2))).abs().max().item<double>(),
            1e-10);
}

TEST_P(EveryModel, TrainingReachesEveryParameter) {
  const auto model = fresh_model(GetParam(), torch::kFloat64);
  model->train();
  model->set_rng(Rng{1, 1});
  torch::manual_seed(8);
  const Tensor x = random_particles(8, 5, torch::kFloat64);
  const Tensor target = torch::randn({8, 5, 3}, torch::kFloat64);
  (model->forward(x) - target).square().mean().backward();
  for (const auto& parameter : model->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_TRUE(parameter.value().grad().isfinite().all().item<bool>()) << parameter.key();
  }
}

TEST_P(EveryModel, RefusesAnOptionItDoesNotHave) {
  EXPECT_THROW(make_model(GetParam() + "(widht=3)"), UserError);
}

INSTANTIATE_TEST_SUITE_P(Registered, EveryModel,
                         testing::ValuesIn(registered_models(Input::kParticles)), model_test_name);

TEST(Models, HaveThePublishedNumbersOfParameters) {
  const std::map<std::string, int64_t> published{
      {"linear", 1},     {"gnn", 104387},    {"radial-field", 2052},
      {"egnn", 134020},  {"tfn", 127024},    {"se3-transformer", 1763134},
      {"fa-gnn", 92103}, {"fa-verlet", 5453}};
  for (const auto& [name, count] : published)
    EXPECT_EQ(parameter_count(*make_model(name)), count) << name;
}

}  // namespace
}  // namespace equiframe
