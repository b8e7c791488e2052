#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/models/particles/particle_checks.h"

namespace equiframe {
namespace {

using namespace particle_checks;

TEST(Se3Transformer, HasTheParametersOfTheTable) {
  EXPECT_EQ(parameter_count(*make_model("se3-transformer")), 1763134);
}

TEST(Se3Transformer, IsEquivariantToMotionsAndPermutations) {
  const Tensor x = random_particles(6, 5);
  const auto model = make("se3-transformer");
  EXPECT_EQ(model->signature().group, "SE(3)");
  EXPECT_LT(equivariance_error(*model, EuclideanGroup::SE(3), x), 1e-11);
  EXPECT_LT(permutation_error(*model, x), 1e-13);
  const auto single = make("se3-transformer", torch::kFloat32);
  EXPECT_LT(permutation_error(*single, x.to(torch::kFloat32)), 1e-5);
}

TEST(Se3Transformer, PredictsMovedPositionsInFloat32) {
  const Tensor x = random_particles(6, 5).to(torch::kFloat32);
  const auto model = make("se3-transformer", torch::kFloat32);
  const auto group = EuclideanGroup::SE(3);
  auto generator = make_generator(3);
  auto g = group.sample(6, generator);
  g.linear = g.linear.to(torch::kFloat32);
  const Tensor moved = predict(*model, group.act(group.type("point + vector + scalar"), g, x));
  const Tensor expected = group.act(group.type("point"), g, predict(*model, x));
  EXPECT_LT(laws::relative_difference(moved, expected), 1e-5);
}

TEST(Se3Transformer, TellsLeftFromRight) {
  const Tensor x = random_particles(6, 5);
  EXPECT_GT(equivariance_error(*make("se3-transformer"), EuclideanGroup::E(3), x), 1e-3);
}

TEST(Se3Transformer, IsEquivariantAtOtherDegrees) {
  const Tensor x = random_particles(3, 4);
  for (const char* call :
       {"se3-transformer(degree=1, width=4)", "se3-transformer(degree=2, width=9, layers=2)",
        "se3-transformer(degree=4, width=8, layers=2)"}) {
    EXPECT_LT(equivariance_error(*make(call), EuclideanGroup::SE(3), x), 1e-11) << call;
  }
}

TEST(Se3Transformer, AttendsToRealNeighboursOnly) {
  EXPECT_LT(padding_error(*make("se3-transformer")), 1e-12);
}

TEST(Se3Transformer, HasTrueGradients) {
  const auto model = make("se3-transformer(width=9, layers=2)");
  const Tensor x = random_particles(2, 4).requires_grad_();
  EXPECT_LT(gradient_error(*model, x, model->parameters()), 1e-6);
  EXPECT_LT(gradient_error(*model, x, {x}), 1e-6);
}

TEST(Se3Transformer, LoneAndCoincidentParticlesAreOrdinaryInput) {
  const auto model = make("se3-transformer");
  const Tensor lone = random_particles(3, 1);
  EXPECT_TRUE(torch::equal(predict(*model, lone), lone.narrow(2, 0, 3)));
  const Tensor x = random_particles(1, 1).repeat({1, 3, 1}).requires_grad_();
  const Tensor y = model->forward(x);
  EXPECT_TRUE(torch::isfinite(y).all().item<bool>());
  EXPECT_TRUE(torch::isfinite(torch::autograd::grad({y.sum()}, {x})[0]).all().item<bool>());
}

TEST(Se3Transformer, RefusesBadOptions) {
  EXPECT_THROW(make_model("se3-transformer(degree=7)"), UserError);
  EXPECT_THROW(make_model("se3-transformer(width=2)"), UserError);
  EXPECT_THROW(make_model("se3-transformer(div=2)"), UserError);
}

}  // namespace
}  // namespace equiframe
