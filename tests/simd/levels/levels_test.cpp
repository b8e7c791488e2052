/// Every kernel family at every level this machine has, against the baseline.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

struct AtLevel {
  Case family;
  SimdLevel level;
};

std::vector<AtLevel> all() {
  std::vector<AtLevel> combinations;
  for (const Case& family : cases())
    for (const SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512})
      if (level <= highest_simd_level()) combinations.push_back({family, level});
  return combinations;
}

class Levels : public testing::TestWithParam<AtLevel> {};

TEST_P(Levels, AgreeWithTheBaseline) {
  const auto& [family, level] = GetParam();
  const std::vector<Output> expected = family.run(SimdLevel::kBaseline);
  const std::vector<Output> found = family.run(level);
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_FALSE(expected.empty());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_LE(difference(expected[k], found[k]), family.roundings) << expected[k].name;
}

INSTANTIATE_TEST_SUITE_P(Families, Levels, testing::ValuesIn(all()), [](const auto& param) {
  return param.param.family.family + "_" + std::string(name(param.param.level));
});
// A processor with the baseline alone has nothing to compare.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Levels);

/// Only numbers that are there, and not all the same, can tell levels apart.
TEST(LevelCases, GiveNumbers) {
  for (const Case& family : cases()) {
    std::vector<double> all;
    for (const Output& one : family.run(SimdLevel::kBaseline))
      all.insert(all.end(), one.values.begin(), one.values.end());
    EXPECT_EQ(std::count_if(all.begin(), all.end(), [](double x) { return !std::isfinite(x); }), 0)
        << family.family;
    std::sort(all.begin(), all.end());
    EXPECT_GT(std::unique(all.begin(), all.end()) - all.begin(), 50) << family.family;
  }
}

TEST(LevelCases, NoneIsMissing) {
  std::vector<std::string> compiled, tested;
  std::stringstream list(EQUIFRAME_KERNEL_FAMILIES);
  for (std::string family; std::getline(list, family, ',');) compiled.push_back(family);
  for (const Case& family : cases()) tested.push_back(family.family);
  std::sort(compiled.begin(), compiled.end());
  std::sort(tested.begin(), tested.end());
  EXPECT_EQ(tested, compiled);
}

TEST(LevelDifference, SeesWhatDiffers) {
  const Output ones = output<float>("ones", {1, -2, 1});
  EXPECT_EQ(difference(ones, ones), 0);
  EXPECT_NEAR(difference(ones, output<float>("", {1, -2, 1 + 0x1p-23F})), 1, 1e-6);
  EXPECT_GT(difference(output<double>("", {1}), output<double>("", {1 + 0x1p-23})), 1e8);
  const double nan = std::nan(""), infinity = HUGE_VAL;
  EXPECT_EQ(difference(ones, output<float>("", {1, -2})), infinity);
  EXPECT_EQ(difference(output<double>("", {1, 2}), output<double>("", {1, nan})), infinity);
  EXPECT_EQ(difference(output<double>("", {0}), output<double>("", {1e-300})), infinity);
}

}  // namespace
}  // namespace equiframe::kernels::levels
