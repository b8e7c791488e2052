#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/models/particles/particle_checks.h"

namespace equiframe {
namespace {

using namespace particle_checks;

TEST(LinearModel, MovesParticlesAlongTheirVelocities) {
  const auto model = make("linear");
  EXPECT_EQ(parameter_count(*model), 1);
  const Tensor x = random_particles(4, 5);
  const Tensor expected = x.narrow(2, 0, 3) + 0.7 * x.narrow(2, 3, 3);
  EXPECT_LT((predict(*model, x) - expected).abs().max().item<double>(), 1e-6);
}

TEST(LinearModel, IsEquivariantToIsometriesAndPermutations) {
  const auto model = make("linear");
  EXPECT_EQ(model->signature().group, "E(3)");
  const Tensor x = random_particles(4, 5);
  EXPECT_LT(equivariance_error(*model, EuclideanGroup::E(3), x), 1e-13);
  EXPECT_EQ(permutation_error(*model, x), 0);
}

TEST(LinearModel, LeavesPaddingAlone) {
  EXPECT_EQ(padding_error(*make("linear")), 0);
}

TEST(LinearModel, RefusesOptionsAndInputsItDoesNotKnow) {
  EXPECT_THROW(make_model("linear(width=3)"), UserError);
  EXPECT_THROW(make("linear")->forward(torch::zeros({1, 5, 6}, torch::kFloat64)), UserError);
}

}  // namespace
}  // namespace equiframe
