#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/models/particles/particle_checks.h"

namespace equiframe {
namespace {

using namespace particle_checks;

TEST(RadialField, HasTheParametersOfTheTable) {
  EXPECT_EQ(parameter_count(*make_model("radial-field")), 2052);
  EXPECT_EQ(parameter_count(*make_model("radial-field(width=8, layers=2)")), 2 * (8 * 8 + 1));
}

TEST(RadialField, IsEquivariantToIsometriesAndPermutations) {
  const Tensor x = random_particles(6, 5);
  const auto model = make("radial-field");
  EXPECT_EQ(model->signature().group, "E(3)");
  EXPECT_LT(equivariance_error(*model, EuclideanGroup::E(3), x), 1e-12);
  EXPECT_LT(permutation_error(*model, x), 1e-13);
  const auto single = make("radial-field", torch::kFloat32);
  EXPECT_LT(equivariance_error(*single, EuclideanGroup::E(3), x.to(torch::kFloat32)), 1e-5);
}

TEST(RadialField, TakesTheMeanOverRealNeighboursOnly) {
  EXPECT_LT(padding_error(*make("radial-field")), 1e-13);
}

TEST(RadialField, DependsOnChargesThroughTheirProductsOnly) {
  const auto model = make("radial-field");
  const Tensor x = random_particles(3, 5);
  Tensor flipped = x.clone(), changed = x.clone();
  flipped.narrow(2, 6, 1).neg_();
  changed.narrow(1, 0, 1).narrow(2, 6, 1).neg_();
  const Tensor y = predict(*model, x);
  EXPECT_TRUE(torch::equal(predict(*model, flipped), y));
  EXPECT_FALSE(torch::equal(predict(*model, changed), y));
}

TEST(RadialField, HasTrueGradients) {
  const auto model = make("radial-field(width=8, layers=2)");
  const Tensor x = random_particles(2, 4).requires_grad_();
  EXPECT_LT(gradient_error(*model, x, model->parameters()), 1e-7);
  EXPECT_LT(gradient_error(*model, x, {x}), 1e-7);
}

TEST(RadialField, CoincidentAndRestingParticlesAreOrdinaryInput) {
  const auto model = make("radial-field");
  const Tensor x = torch::zeros({1, 3, 7}, torch::kFloat64).requires_grad_();
  const Tensor y = model->forward(x);
  EXPECT_EQ(y.abs().max().item<double>(), 0);
  const Tensor gradient = torch::autograd::grad({y.sum()}, {x})[0];
  EXPECT_TRUE(torch::isfinite(gradient).all().item<bool>());
}

TEST(RadialField, RefusesBadOptions) {
  EXPECT_THROW(make_model("radial-field(layers=0)"), UserError);
  EXPECT_THROW(make_model("radial-field(widht=3)"), UserError);
}

}  // namespace
}  // namespace equiframe
