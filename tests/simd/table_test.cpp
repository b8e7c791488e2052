/// A family that is no part of the library, tests/kernel_family: one source and one line of CMake.
#include "simd/table.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernel_family/scaled.h"

namespace equiframe::kernels {
namespace {

using Scaled = Table<ScaledKernels>;

/// The registers it is compiled for: it has no AVX-512.
int width_at(SimdLevel level) {
  return level >= SimdLevel::kAvx2 ? 8 : 4;
}

/// The level is read once: a test of the chosen one starts a process of its own.
class FamilyLevelsDeathTest : public testing::TestWithParam<SimdLevel> {};

TEST_P(FamilyLevelsDeathTest, AreThoseTheFamilyHasOrTheNextLowerOne) {
  if (GetParam() > highest_simd_level()) GTEST_SKIP() << "not on this processor";
  std::vector<float> x(37), y(37), expected(37);
  std::iota(x.begin(), x.end(), 1.F);
  std::iota(expected.begin(), expected.end(), 1.F);
  for (float& number : expected) number *= 3;
  EXPECT_EQ(Scaled::at(GetParam()).scaled(37, 3, x.data(), y.data()), width_at(GetParam()));
  EXPECT_EQ(y, expected);
}

TEST_P(FamilyLevelsDeathTest, TheChosenOneIsThatOfTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const SimdLevel expected = std::min(GetParam(), highest_simd_level());
  const auto choose = [&] {
    setenv("EQUIFRAME_SIMD", std::string(name(GetParam())).c_str(), 1);
    const int width = Scaled::chosen().scaled(0, 1, nullptr, nullptr);
    std::_Exit(&Scaled::chosen() == &Scaled::at(expected) && width == width_at(expected) ? 0 : 1);
  };
  EXPECT_EXIT(choose(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(All, FamilyLevelsDeathTest,
                         testing::Values(SimdLevel::kBaseline, SimdLevel::kAvx2,
                                         SimdLevel::kAvx512),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace equiframe::kernels
