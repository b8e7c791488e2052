#include "simd/cpu.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace equiframe::kernels {
namespace {

TEST(Cpu, NamesAreTheOnesTheEnvironmentUnderstands) {
  EXPECT_EQ(name(SimdLevel::kBaseline), "baseline");
  EXPECT_EQ(name(SimdLevel::kAvx2), "avx2");
  EXPECT_EQ(name(SimdLevel::kAvx512), "avx512");
}

TEST(Cpu, LevelIsNeverAboveTheProcessor) {
  EXPECT_LE(simd_level(), highest_simd_level());
}

struct Request {
  const char* text;
  SimdLevel wish;
};

/// The variable is read once, so each request needs a process of its own.
class CpuDeathTest : public testing::TestWithParam<Request> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(CpuDeathTest, EnvironmentChoosesUpToWhatTheProcessorHas) {
  const SimdLevel expected = std::min(GetParam().wish, highest_simd_level());
  const auto choose = [&] {
    setenv("EQUIFRAME_SIMD", GetParam().text, 1);
    std::_Exit(simd_level() == expected ? 0 : 1);
  };
  EXPECT_EXIT(choose(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Requests, CpuDeathTest,
                         testing::Values(Request{"baseline", SimdLevel::kBaseline},
                                         Request{"avx2", SimdLevel::kAvx2},
                                         Request{"avx512", SimdLevel::kAvx512},
                                         Request{"", SimdLevel::kAvx512},
                                         Request{"sse9", SimdLevel::kAvx512}));

}  // namespace
}  // namespace equiframe::kernels
