#include "audit/verdict.h"

#include <gtest/gtest.h>

#include "equiframe/audit/audit.h"
#include "equiframe/core/error.h"
#include "tests/audit/broken_models.h"

namespace equiframe::audit_test {
namespace {

using audit::SymmetryErrors;

SymmetryErrors errors_of(double float64, bool claimed = true) {
  SymmetryErrors errors;
  errors.measured = true;
  errors.claimed = claimed;
  errors.float64.max = float64;
  errors.float32.max = float64 + 1e-7;
  errors.rounding32 = 1e-7;
  return errors;
}

TEST(Verdict, IsAPlainWord) {
  EXPECT_EQ(audit::judge(errors_of(1e-15)).text, "exact");
  EXPECT_EQ(audit::judge(errors_of(1e-5)).text, "approximate");
  EXPECT_EQ(audit::judge(errors_of(0.5)).text, "broken");
  EXPECT_EQ(audit::judge(errors_of(0.5, false)).text, "not claimed");
  EXPECT_EQ(audit::judge(errors_of(0, false)).text, "holds, not claimed");
  EXPECT_EQ(audit::judge(SymmetryErrors{}).text, "not measured");
}

TEST(Verdict, Float32IsJudgedByRounding) {
  SymmetryErrors errors = errors_of(1e-15);
  EXPECT_FALSE(exceeds_rounding(errors));
  errors.float32.max = 1e-4;
  EXPECT_TRUE(exceeds_rounding(errors));
}

TEST(Requirements, AreReadAndRefused) {
  const auto required = audit::parse_requirements("rotation, translation<1e-5, permutation <= 0.1");
  ASSERT_EQ(required.size(), 3U);
  EXPECT_LT(required[0].limit, 0);
  EXPECT_EQ(required[1].name, "translation");
  EXPECT_EQ(required[1].limit, 1e-5);
  EXPECT_EQ(required[2].limit, 0.1);
  EXPECT_TRUE(audit::parse_requirements("").empty());
  EXPECT_THROW(audit::parse_requirements("rotatoin"), UserError);
  EXPECT_THROW(audit::parse_requirements("rotation<"), UserError);
  EXPECT_THROW(audit::parse_requirements("rotation<1e-5x"), UserError);
}

TEST(Requirements, AreHeldAgainstTheMeasurements) {
  const auto broken = audit::audit(*subject_of(bias_on_vectors()));
  const auto unmet = [&](const std::string& text) {
    return audit::unmet(broken, audit::parse_requirements(text)).size();
  };
  EXPECT_EQ(unmet("translation, permutation, gradient, batch, continuity"), 0U);
  EXPECT_EQ(unmet("rotation"), 1U);
  EXPECT_EQ(unmet("rotation<1e-3"), 1U);
  EXPECT_EQ(unmet("rotation<0.5"), 0U);
  EXPECT_EQ(unmet("all"), 2U);  // rotations and reflections
  EXPECT_GT(unmet("hard"), 0U);
  EXPECT_EQ(unmet("sound"), 1U);
}

}  // namespace
}  // namespace equiframe::audit_test
