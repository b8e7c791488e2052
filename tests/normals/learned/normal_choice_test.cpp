/// The model `normal-choice`, its rows and what NormalEstimator does with it.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "normals/learned/choice_rows.h"
#include "normals/learned/normal_estimator.h"
#include "tests/models/normal_lines.h"

namespace equiframe {
namespace {

using clouds::apart;

std::shared_ptr<Model> random_choice(uint64_t seed) {
  torch::manual_seed(seed);
  std::shared_ptr<Model> model = make_model("normal-choice");
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model->parameters())
    parameter.add_(torch::randn_like(parameter) * 0.2);
  for (const auto& buffer : model->named_buffers())
    if (buffer.value().is_floating_point())
      buffer.value().copy_(torch::rand_like(buffer.value()) + 0.5);
  model->eval();
  return model;
}

/// A noisy sphere.
Tensor sphere(int64_t count, double noise) {
  auto generator = make_generator(4);
  const Tensor x = torch::randn({count, 3}, generator, torch::kFloat64);
  return x / x.norm(2, 1, true) + torch::randn({count, 3}, generator, torch::kFloat64) * noise;
}

std::vector<int64_t> first_points(int64_t count) {
  std::vector<int64_t> points(static_cast<size_t>(count));
  for (size_t k = 0; k < points.size(); ++k) points[k] = static_cast<int64_t>(k);
  return points;
}

class NormalChoice : public testing::Test {
 protected:
  NormalChoice() {
    torch::manual_seed(2);
    patches_ = make_model("fa-patch");
    votes_ = make_model("normal-votes");
  }
  std::shared_ptr<Model> patches_, votes_;
};

TEST_F(NormalChoice, TurnsAndReflectsWithTheCandidatesWhateverTheirSigns) {
  const NormalEstimator network(*patches_, votes_.get());
  const Tensor points = sphere(900, 0.05);
  const Tensor rows =
      network.choices(NeighborSearch(points), first_points(60)).to(torch::kFloat64).unsqueeze(1);
  const auto model = random_choice(1);
  model->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  const Tensor expected = model->forward(Batch(rows));
  auto generator = make_generator(3);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kOrthogonal, 1, generator)[0];
  Tensor turned = rows.clone(), other = rows.clone();
  for (int64_t c = 0; c < 3 * kernels::kCandidates; c += 3) {
    const double sign = c % 2 == 0 ? 1 : -1;
    turned.narrow(2, c, 3).copy_(rows.narrow(2, c, 3).matmul(turn.t()) * sign);
  }
  EXPECT_LT(apart(expected.matmul(turn.t()), model->forward(Batch(turned))), 1e-9);
  other.narrow(2, 3 * kernels::kCandidates, kernels::kChoiceNumbers).add_(1);
  EXPECT_GT(apart(expected, model->forward(Batch(other))), 1e-6) << "numbers count";
}

TEST_F(NormalChoice, RowsTurnWithTheCloud) {
  const NormalEstimator network(*patches_, votes_.get());
  const Tensor points = sphere(900, 0.05);
  auto generator = make_generator(8);
  const Tensor turn = haar_orthogonal(3, EuclideanGroup::Linear::kRotations, 1, generator)[0];
  const auto rows_of = [&](const Tensor& x) {
    return network.choices(NeighborSearch(x), first_points(40)).to(torch::kFloat64);
  };
  const Tensor here = rows_of(points), there = rows_of(points.matmul(turn.t()));
  for (int64_t c = 0; c < 3 * kernels::kCandidates; c += 3)
    EXPECT_LT(apart(here.narrow(1, c, 3).matmul(turn.t()), there.narrow(1, c, 3)), 2e-4) << c;
  const auto numbers = [](const Tensor& rows) {
    return rows.narrow(1, 3 * kernels::kCandidates, kernels::kChoiceNumbers);
  };
  EXPECT_LT((numbers(here) - numbers(there)).abs().max().item<double>(), 5e-3);
}

TEST_F(NormalChoice, LargeSurfacesAreBetterOnANoisySphere) {
  const NormalEstimator network(*patches_, votes_.get());
  const Tensor points = sphere(4000, 0.02);
  const Tensor rows = network.choices(NeighborSearch(points), first_points(200));
  const Tensor truth = (points / points.norm(2, 1, true)).narrow(0, 0, 200);
  const auto miss = [&](int64_t candidate) {
    const Tensor n = rows.narrow(1, 3 * candidate, 3).to(torch::kFloat64);
    return (1 - (n * truth).sum(1).square()).mean().item<double>();
  };
  constexpr int64_t kSmallest = 2, kLargest = kernels::kCandidates - 1;
  EXPECT_LT(miss(kLargest), 0.02 * miss(kSmallest));
}

TEST_F(NormalChoice, ANewModelTakesTheVotes) {
  torch::manual_seed(1);
  const auto choice = make_model("normal-choice");
  const NormalEstimator voted(*patches_, votes_.get()), all(*patches_, votes_.get(), choice.get());
  const NeighborSearch search(sphere(700, 0.01));
  const Tensor a = voted.estimate(search).normals, b = all.estimate(search).normals;
  const Tensor cosine = (a * b).sum(1).abs();
  EXPECT_GT(cosine.mean().item<double>(), 0.99);
  EXPECT_GT(apart(a, b), 1e-6);
}

TEST_F(NormalChoice, EstimatorGivesWhatTheModelGives) {
  const Tensor points = sphere(600, 0.03);
  const NeighborSearch search(points);
  const auto choice = random_choice(6);
  const NormalEstimator all(*patches_, votes_.get(), choice.get());
  const torch::NoGradGuard no_grad;
  const Tensor expected =
      choice->forward(Batch(all.choices(search, first_points(600)).unsqueeze(1)));
  EXPECT_LT(apart(expected, all.estimate(search).normals), 1e-3);
}

TEST_F(NormalChoice, FewPointsAndPointsInOnePlaceGiveUnitNormals) {
  const auto choice = random_choice(7);
  const NormalEstimator network(*patches_, votes_.get(), choice.get());
  const Tensor points = sphere(40, 0.1);
  for (const Tensor& x : {points, points * 0 + 3, torch::cat({points, points})}) {
    const Tensor n = network.estimate(NeighborSearch(x)).normals;
    EXPECT_LT((n.norm(2, 1) - 1).abs().max().item<double>(), 1e-5);
  }
}

TEST_F(NormalChoice, ProgressEndsAtOneAndOtherModelsAreRefused) {
  const auto choice = random_choice(7);
  double last = 0;
  NormalEstimator(*patches_, votes_.get(), choice.get())
      .estimate(NeighborSearch(sphere(700, 0)), [&](double share) { last = share; });
  EXPECT_DOUBLE_EQ(last, 1);
  EXPECT_THROW(NormalEstimator(*patches_, votes_.get(), votes_.get()), UserError);
  EXPECT_THROW(choice->forward(Batch(torch::zeros({2, 1, 3}))), UserError);
  EXPECT_THROW(make_model("normal-choice(width=0)"), UserError);
}

}  // namespace
}  // namespace equiframe
