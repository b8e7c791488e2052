#include "runtime/machine.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace equiframe::runtime {
namespace {

namespace fs = std::filesystem;

/// A folder that looks like the mount of the control groups, removed at the end.
class ControlGroups : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() /
            ("equiframe-" + std::string(test->name()) + "-" + std::to_string(getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  fs::path root_;
};

TEST_F(ControlGroups, NoFilesMeanNoQuota) {
  EXPECT_FALSE(cgroup_cpu_quota(root_, "0::/\n"));
  EXPECT_FALSE(cgroup_cpu_quota(root_, ""));
  EXPECT_FALSE(cgroup_cpu_quota(root_, "garbage\n"));
}

TEST_F(ControlGroups, VersionTwoQuotaIsARatio) {
  write("user/cpu.max", "150000 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_, "0::/user\n"), 1.5);
}

TEST_F(ControlGroups, VersionTwoMaxIsNoQuota) {
  write("cpu.max", "max 100000\n");
  EXPECT_FALSE(cgroup_cpu_quota(root_, "0::/\n"));
}

TEST_F(ControlGroups, TheTightestAncestorCounts) {
  write("a/cpu.max", "200000 100000\n");
  write("a/b/cpu.max", "800000 100000\n");
  write("a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_, "0::/a/b/c\n"), 2.0);
}

TEST_F(ControlGroups, VersionOneIsFoundByItsController) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("memory/job/cpu.cfs_quota_us", "100000\n");
  write("memory/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_, "4:memory:/job\n3:cpu,cpuacct:/job\n"), 3.0);
}

TEST_F(ControlGroups, VersionOneMinusOneIsNoQuota) {
  write("cpu/cpu.cfs_quota_us", "-1\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cgroup_cpu_quota(root_, "1:cpu:/\n"));
}

TEST_F(ControlGroups, AContainerSeesItsQuotaAtTheRoot) {
  write("cpu.max", "400000 100000\n");
  EXPECT_EQ(cgroup_cpu_quota(root_, "0::/docker/not-visible-here\n"), 4.0);
}

TEST(UsableCores, AreTheAffinityUnderTheQuotaRoundedDown) {
  EXPECT_EQ(usable_cores(8, std::nullopt), 8);
  EXPECT_EQ(usable_cores(8, 2.9), 2);
  EXPECT_EQ(usable_cores(2, 64.0), 2);
  EXPECT_EQ(usable_cores(8, 0.5), 1);
  EXPECT_EQ(usable_cores(0, std::nullopt), 1);
}

TEST(MachineFacts, AreConsistent) {
  const Machine m = machine();
  EXPECT_GE(m.usable_cores, 1);
  EXPECT_LE(m.usable_cores, m.logical_cores);
  EXPECT_GT(m.memory_bytes, 0);
  EXPECT_GT(m.memory_available_bytes, 0);
  EXPECT_LE(m.memory_available_bytes, m.memory_bytes);
  EXPECT_GE(m.load_average, 0);
  EXPECT_EQ(m.simd, kernels::simd_level());
}

#if defined(__x86_64__)
/// The value of the first line of /proc/cpuinfo that starts with `key`.
std::string cpuinfo(const std::string& key) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.rfind(key, 0) != 0) continue;
    if (line.find_last_not_of(" \t", colon - 1) + 1 != key.size()) continue;
    return line.size() > colon + 2 ? line.substr(colon + 2) : "";
  }
  return "";
}

TEST(MachineFacts, AgreeWithTheKernel) {
  const CpuFacts cpu = cpu_facts();
  const std::string flags = " " + cpuinfo("flags") + " ";
  if (flags == "  ") GTEST_SKIP() << "no /proc/cpuinfo";
  EXPECT_EQ(cpu.vendor, cpuinfo("vendor_id"));
  EXPECT_EQ(cpu.family, std::stoi(cpuinfo("cpu family")));
  EXPECT_EQ(cpu.model, std::stoi(cpuinfo("model")));
  const auto has = [&](const char* flag) {
    return flags.find(" " + std::string(flag) + " ") != std::string::npos;
  };
  EXPECT_EQ(cpu.avx, has("avx"));
  EXPECT_EQ(cpu.avx2, has("avx2") && has("fma"));
  EXPECT_EQ(cpu.avx512, has("avx512f") && has("avx512cd") && has("avx512bw") && has("avx512dq") &&
                            has("avx512vl"));
  EXPECT_EQ(cpu.avx512_bf16, cpu.avx512 && has("avx512_bf16"));
}
#endif

}  // namespace
}  // namespace equiframe::runtime
