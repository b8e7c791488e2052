#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/blas_info.h"

namespace equiframe::runtime {
namespace {

struct Processor {
  const char* name;
  CpuFacts cpu;
  std::vector<std::string> cores;
};

CpuFacts facts(const std::string& vendor, int family, int model) {
  CpuFacts cpu;
  cpu.vendor = vendor;
  cpu.family = family;
  cpu.model = model;
  return cpu;
}

CpuFacts with_avx(CpuFacts cpu) {
  cpu.avx = true;
  return cpu;
}

CpuFacts with_avx2(CpuFacts cpu) {
  cpu.avx2 = true;
  return with_avx(cpu);
}

CpuFacts with_avx512(CpuFacts cpu) {
  cpu.avx512 = true;
  return with_avx2(cpu);
}

CpuFacts with_bf16(CpuFacts cpu) {
  cpu.avx512_bf16 = true;
  return with_avx512(cpu);
}

std::vector<Processor> processors() {
  const std::string intel = "GenuineIntel";
  const std::string amd = "AuthenticAMD";
  return {
      {"EmeraldRapids",
       with_bf16(facts(intel, 6, 0xcf)),
       {"Cooperlake", "SkylakeX", "Haswell", "Sandybridge"}},
      {"SapphireRapids",
       with_bf16(facts(intel, 6, 0x8f)),
       {"Cooperlake", "SkylakeX", "Haswell", "Sandybridge"}},
      {"SkylakeX", with_avx512(facts(intel, 6, 0x55)), {"SkylakeX", "Haswell", "Sandybridge"}},
      {"RaptorLake", with_avx2(facts(intel, 6, 0xba)), {"Haswell", "Sandybridge"}},
      {"Haswell", with_avx2(facts(intel, 6, 0x3c)), {"Haswell", "Sandybridge"}},
      {"SandyBridge", with_avx(facts(intel, 6, 0x2a)), {"Sandybridge"}},
      {"Nehalem", facts(intel, 6, 0x1a), {}},
      {"Zen2", with_avx2(facts(amd, 0x17, 0x31)), {"Zen", "Haswell", "Sandybridge"}},
      {"Zen3", with_avx2(facts(amd, 0x19, 0x01)), {"Zen", "Haswell", "Sandybridge"}},
      {"Zen4",
       with_bf16(facts(amd, 0x19, 0x11)),
       {"Cooperlake", "SkylakeX", "Zen", "Haswell", "Sandybridge"}},
      {"Hygon", with_avx2(facts("HygonGenuine", 0x18, 0x01)), {"Zen", "Haswell", "Sandybridge"}},
      {"Excavator", with_avx2(facts(amd, 0x15, 0x60)), {}},
      {"Bulldozer", with_avx(facts(amd, 0x15, 0x01)), {}},
      {"OtherVendor", with_avx2(facts("CentaurHauls", 7, 0x5b)), {"Haswell", "Sandybridge"}},
      {"NotX86", {}, {}},
  };
}

class SuitableCores : public ::testing::TestWithParam<Processor> {};

TEST_P(SuitableCores, FollowTheProcessor) {
  EXPECT_EQ(suitable_cores(GetParam().cpu), GetParam().cores);
}

INSTANTIATE_TEST_SUITE_P(All, SuitableCores, ::testing::ValuesIn(processors()),
                         [](const auto& processor) { return std::string(processor.param.name); });

BlasInfo openblas(const std::string& kernel) {
  BlasInfo blas;
  blas.kind = BlasKind::kOpenBlas;
  blas.kernel = kernel;
  return blas;
}

TEST(Misdetection, IsANarrowerKernelThanExpected) {
  EXPECT_TRUE(is_misdetected(openblas("Prescott"), "SkylakeX"));
  EXPECT_TRUE(is_misdetected(openblas("Prescott"), "Zen"));
  EXPECT_TRUE(is_misdetected(openblas("Nehalem"), "Sandybridge"));
  EXPECT_TRUE(is_misdetected(openblas("Haswell"), "SkylakeX"));
  EXPECT_TRUE(is_misdetected(openblas("PRESCOTT"), "Haswell"));
}

TEST(Misdetection, IsNotAnotherKernelOfTheSameOrGreaterWidth) {
  EXPECT_FALSE(is_misdetected(openblas("Zen"), "Zen"));
  EXPECT_FALSE(is_misdetected(openblas("HASWELL"), "Zen"));
  EXPECT_FALSE(is_misdetected(openblas("SkylakeX"), "Cooperlake"));
  EXPECT_FALSE(is_misdetected(openblas("SapphireRapids"), "Cooperlake"));
  EXPECT_FALSE(is_misdetected(openblas("SkylakeX"), "Haswell"));
}

TEST(Misdetection, IsNotClaimedWithoutKnowledge) {
  EXPECT_FALSE(is_misdetected(openblas("Prescott"), ""));
  EXPECT_FALSE(is_misdetected(openblas("SomeFutureCore"), "SkylakeX"));
  EXPECT_FALSE(is_misdetected(openblas(""), "SkylakeX"));
}

TEST(Misdetection, ConcernsOpenBlasOnly) {
  for (const BlasKind kind : {BlasKind::kNone, BlasKind::kNetlib, BlasKind::kMkl, BlasKind::kBlis,
                              BlasKind::kAtlas, BlasKind::kUnknown}) {
    BlasInfo blas = openblas("Prescott");
    blas.kind = kind;
    EXPECT_FALSE(is_misdetected(blas, "SkylakeX")) << name(kind);
  }
}

TEST(ExpectedCore, IsOneOfTheSuitableOnes) {
  const std::vector<std::string> suitable = suitable_cores(cpu_facts());
  const std::string expected = expected_core();
  if (expected.empty()) GTEST_SKIP() << "OpenBLAS is left to choose for this processor";
  EXPECT_NE(std::find(suitable.begin(), suitable.end(), expected), suitable.end()) << expected;
}

}  // namespace
}  // namespace equiframe::runtime
