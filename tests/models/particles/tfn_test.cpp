#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/models/particles/particle_checks.h"

namespace equiframe {
namespace {

using namespace particle_checks;

TEST(TensorFieldNetwork, HasTheParametersOfTheTable) {
  EXPECT_EQ(parameter_count(*make_model("tfn")), 127024);
}

TEST(TensorFieldNetwork, IsEquivariantToMotionsAndPermutations) {
  const Tensor x = random_particles(6, 5);
  const auto model = make("tfn");
  EXPECT_EQ(model->signature().group, "SE(3)");
  EXPECT_LT(equivariance_error(*model, EuclideanGroup::SE(3), x), 1e-12);
  EXPECT_LT(permutation_error(*model, x), 1e-13);
  const auto single = make("tfn", torch::kFloat32);
  EXPECT_LT(equivariance_error(*single, EuclideanGroup::SE(3), x.to(torch::kFloat32)), 1e-5);
}

TEST(TensorFieldNetwork, TellsLeftFromRight) {
  const Tensor x = random_particles(6, 5);
  EXPECT_GT(equivariance_error(*make("tfn"), EuclideanGroup::E(3), x), 1e-3);
}

TEST(TensorFieldNetwork, IsEquivariantAtOtherDegrees) {
  const Tensor x = random_particles(3, 4);
  for (const char* call : {"tfn(degree=1, width=4)", "tfn(degree=3, width=9, layers=3)",
                           "tfn(degree=4, width=8, layers=2)", "tfn(layers=1)"}) {
    EXPECT_LT(equivariance_error(*make(call), EuclideanGroup::SE(3), x), 1e-12) << call;
  }
}

TEST(TensorFieldNetwork, TakesTheMeanOverRealNeighboursOnly) {
  EXPECT_LT(padding_error(*make("tfn")), 1e-12);
}

TEST(TensorFieldNetwork, HasTrueGradients) {
  const auto model = make("tfn(degree=3, width=9, layers=3)");
  const Tensor x = random_particles(2, 4).requires_grad_();
  EXPECT_LT(gradient_error(*model, x, model->parameters()), 1e-6);
  EXPECT_LT(gradient_error(*model, x, {x}), 1e-6);
}

TEST(TensorFieldNetwork, LoneAndCoincidentParticlesAreOrdinaryInput) {
  const auto model = make("tfn");
  EXPECT_TRUE(torch::isfinite(predict(*model, random_particles(3, 1))).all().item<bool>());
  const Tensor x = random_particles(1, 1).repeat({1, 3, 1}).requires_grad_();
  const Tensor y = model->forward(x);
  EXPECT_TRUE(torch::isfinite(y).all().item<bool>());
  EXPECT_TRUE(torch::isfinite(torch::autograd::grad({y.sum()}, {x})[0]).all().item<bool>());
}

TEST(TensorFieldNetwork, RefusesBadOptions) {
  EXPECT_THROW(make_model("tfn(degree=0)"), UserError);
  EXPECT_THROW(make_model("tfn(width=1)"), UserError);
  EXPECT_THROW(make_model("tfn(layers=0)"), UserError);
  EXPECT_THROW(make_model("tfn(heads=2)"), UserError);
}

}  // namespace
}  // namespace equiframe
