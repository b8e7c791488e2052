#include <gtest/gtest.h>

#include "bench/reference_fa_gnn.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model.h"
#include "tests/models/particles/particles.h"

namespace equiframe {
namespace {

using Linear = EuclideanGroup::Linear;

double error_of(Model& model, const Tensor& x, const Tensor& turn, const Tensor& shift) {
  const torch::NoGradGuard guard;
  const Tensor expected = model.forward(x).to(torch::kFloat64).matmul(turn.t()) + shift;
  return (model.forward(moved(x, turn, shift)).to(torch::kFloat64) - expected)
      .abs()
      .max()
      .item<double>();
}

TEST(FaGnn, IsThePaperNetworkInValueAndGradient) {
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    torch::manual_seed(1);
    const auto model = make_model("fa-gnn");
    bench::ReferenceFaGnn reference;
    model->to(type);
    reference.to(type);
    const auto ours = model->parameters(), theirs = reference.parameters();
    ASSERT_EQ(ours.size(), theirs.size());
    {
      const torch::NoGradGuard guard;
      for (size_t k = 0; k < ours.size(); ++k) theirs[k].copy_(ours[k]);
    }
    const Tensor x = random_particles(20, 5, type), target = torch::randn({20, 5, 3}, type);
    const Tensor a = model->forward(x), b = reference.forward(x);
    const double tolerance = type == torch::kFloat64 ? 1e-11 : 1e-5;
    EXPECT_LT(((a - b).norm() / b.norm()).item<double>(), tolerance);
    (a - target).square().mean().backward();
    (b - target).square().mean().backward();
    double scale = 0;
    for (const Tensor& p : theirs) scale = std::max(scale, p.grad().norm().item<double>());
    for (size_t k = 0; k < ours.size(); ++k)
      EXPECT_LT((ours[k].grad() - theirs[k].grad()).norm().item<double>(), tolerance * scale) << k;
  }
}

struct ParticleSetting {
  const char* call;
  Linear linear;
  double shift;
};

class FaGnnSymmetry : public testing::TestWithParam<ParticleSetting> {};

TEST_P(FaGnnSymmetry, HoldsForEveryGroupAndFrame) {
  const ParticleSetting& setting = GetParam();
  torch::manual_seed(2);
  const auto model = make_model(setting.call);
  model->to(torch::kFloat64);
  model->eval();
  const Tensor x = random_particles(10, 6, torch::kFloat64);
  for (uint64_t seed = 1; seed < 4; ++seed) {
    const Tensor shift = setting.shift * torch::ones({3}, torch::kFloat64);
    EXPECT_LT(error_of(*model, x, random_turn(setting.linear, seed), shift), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FaGnnSymmetry,
    testing::Values(ParticleSetting{"fa-gnn(group=E(3))", Linear::kOrthogonal, 5},
                    ParticleSetting{"fa-gnn(group=SE(3))", Linear::kRotations, 5},
                    ParticleSetting{"fa-gnn(group=O(3))", Linear::kOrthogonal, 0},
                    ParticleSetting{"fa-gnn(group=SO(3))", Linear::kRotations, 0},
                    ParticleSetting{"fa-gnn(frame=minimal)", Linear::kOrthogonal, 5},
                    ParticleSetting{"fa-gnn(frame=pca(degenerate=minimal))", Linear::kOrthogonal,
                                    5},
                    ParticleSetting{"fa-gnn(layers=1, width=9)", Linear::kOrthogonal, 5},
                    ParticleSetting{"fa-gnn(cutoff=3)", Linear::kOrthogonal, 5}));

TEST(FaGnn, RotationsAloneLeaveReflectionsOpen) {
  torch::manual_seed(3);
  const auto model = make_model("fa-gnn(group=SE(3))");
  model->to(torch::kFloat64);
  const Tensor mirror = -torch::eye(3, torch::kFloat64);
  EXPECT_GT(error_of(*model, random_particles(5, 5, torch::kFloat64), mirror, torch::zeros({3})),
            1e-4);
}

TEST(FaGnn, SymmetricConfigurationsStayExactWithAMinimalFrame) {
  torch::manual_seed(4);
  const auto model = make_model("fa-gnn(frame=pca(degenerate=minimal))");
  model->to(torch::kFloat64);
  model->eval();
  Tensor square = torch::zeros({1, 4, 7}, torch::kFloat64);  // axes of equal spread
  square.narrow(2, 0, 2).copy_(
      torch::tensor({{{1., 1.}, {1., -1.}, {-1., 1.}, {-1., -1.}}}, torch::kFloat64));
  square.select(2, 6).fill_(1);
  const Tensor turn = random_turn(Linear::kOrthogonal, 5);
  EXPECT_LT(error_of(*model, square, turn, torch::ones({3}, torch::kFloat64)), 1e-9);
}

TEST(FaGnn, DrawsElementsWhileTrainingAndNoneInEvaluation) {
  torch::manual_seed(5);
  const auto model = make_model("fa-gnn(train_frame=sampled(k=1, base=pca))");
  const Tensor x = random_particles(6, 5, torch::kFloat32);
  const torch::NoGradGuard guard;
  model->train();
  const auto draw = [&](uint64_t step) {
    model->set_rng(Rng{1, step});
    return model->forward(x);
  };
  EXPECT_TRUE(torch::equal(draw(1), draw(1)));
  EXPECT_FALSE(torch::equal(draw(1), draw(2)));
  model->eval();
  EXPECT_TRUE(torch::equal(draw(1), draw(2)));
}

TEST(FaGnn, MixedSizesShareABatch) {
  const torch::NoGradGuard guard;
  torch::manual_seed(6);
  const auto model = make_model("fa-gnn");
  model->to(torch::kFloat64);
  const Tensor small = random_particles(1, 4, torch::kFloat64);
  const Tensor large = random_particles(1, 7, torch::kFloat64);
  Batch both(torch::cat({torch::constant_pad_nd(small, {0, 0, 0, 3}), large}));
  both.mask = torch::stack({torch::arange(7) < 4, torch::arange(7) < 7});
  const Tensor y = model->forward(both);
  EXPECT_LT((y[0].narrow(0, 0, 4) - model->forward(small)[0]).abs().max().item<double>(), 1e-12);
  EXPECT_LT((y[1] - model->forward(large)[0]).abs().max().item<double>(), 1e-12);
}

TEST(FaGnn, RefusesWhatCannotBe) {
  EXPECT_THROW(make_model("fa-gnn(width=61)"), UserError);
  EXPECT_THROW(make_model("fa-gnn(group=S(5))"), UserError);
  EXPECT_THROW(make_model("fa-gnn(group=E(2))"), UserError);
  EXPECT_THROW(make_model("fa-gnn(layers=0)"), UserError);
}

}  // namespace
}  // namespace equiframe
