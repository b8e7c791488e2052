#include "audit/measure/angular_power.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "audit/measure/symmetry_errors.h"
#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

constexpr int64_t kOrder = 4;

audit::AngularPower power_of(const std::string& body, const std::string& group = "SO3",
                             const std::string& out = "scalar") {
  const auto subject =
      subject_of({"def forward(self, x):\n    return " + body + "\n", group, "vector", out});
  audit::MeasureOptions options;
  options.points = 4;
  return audit::measure_angular_power(*subject, audit::probe_inputs(*subject, options), kOrder);
}

TEST(RotationRule, IntegratesCharactersExactly) {
  const auto rule = audit::rotation_rule(kOrder);
  EXPECT_EQ(rule.rotations.size(0), 5 * 9 * 9);
  EXPECT_NEAR(rule.weights.sum().item<double>(), 1, 1e-14);
  EXPECT_LT((torch::linalg_det(rule.rotations) - 1).abs().max().item<double>(), 1e-13);
  const Tensor trace = rule.rotations.diagonal(0, 1, 2).sum(1);
  const Tensor angle = ((trace - 1) / 2).clamp(-1, 1).acos();
  std::vector<Tensor> characters{torch::ones_like(angle)};
  for (int64_t l = 1; l <= kOrder; ++l)
    characters.push_back(characters.back() + 2 * (angle * static_cast<double>(l)).cos());
  for (size_t l = 0; l < characters.size(); ++l) {
    for (size_t m = 0; m < characters.size(); ++m) {
      const Tensor product = rule.weights * characters[l] * characters[m];
      EXPECT_NEAR(product.sum().item<double>(), l == m ? 1 : 0, 1e-12) << l << " " << m;
    }
  }
}

TEST(AngularPower, ACoordinateIsOfOrderOne) {
  const auto power = power_of("x[:, 0, :1]");
  ASSERT_TRUE(power.measured);
  EXPECT_NEAR(power.share[1], 1, 1e-12);
  EXPECT_LT(power.above, 1e-12);
}

TEST(AngularPower, ItsSquareIsOfOrdersZeroAndTwo) {  // x^2 = 1/3 + 2/3 P_2, of mean square 1/5
  const auto power = power_of("x[:, 0, :1] * x[:, 0, :1]");
  EXPECT_NEAR(power.share[0], 5.0 / 9, 1e-12);
  EXPECT_NEAR(power.share[2], 4.0 / 9, 1e-12);
}

TEST(AngularPower, AnEquivariantVectorIsAllAtOrderZero) {
  const auto power = power_of("x * (x * x).sum(-1, True)", "SO3", "vector");
  EXPECT_NEAR(power.share[0], 1, 1e-12);
}

TEST(AngularPower, OrdersBeyondTheRuleAreNotLost) {
  const auto power = power_of("torch.pow(x[:, 0, :1] / x[:, 0].norm(2, -1, True), 6)");
  double total = power.above;
  for (const double share : power.share) total += share;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_GT(power.above, 1e-4);
}

TEST(AngularPower, HasAPlane) {
  const auto power = power_of("x[:, 0, :1] * x[:, 0, 1:2]", "SO2");
  EXPECT_NEAR(power.share[2], 1, 1e-12);
}

TEST(AngleErrors, GrowWithTheAngleWhereNothingJumps) {
  const auto subject = subject_of(plain_coordinates());
  const auto inputs = audit::probe_inputs(*subject, {});
  const auto errors = audit::measure_angle_errors(*subject, inputs);
  EXPECT_NEAR(errors.median[1] / errors.median[0], 10, 1);  // 0.01 and 0.1 degrees
}

}  // namespace
}  // namespace equiframe::audit_test
