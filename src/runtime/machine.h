#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "simd/cpu.h"

/// What this machine has. Plain C++20 on Linux, no LibTorch.
namespace equiframe::runtime {

/// The processor as CPUID tells it. An instruction set counts as present only if the operating
/// system saves its registers too. Family and model are the display numbers of the vendor manuals
/// (extended parts added in). Away from x86-64 only `vendor` and `brand` may be filled.
struct CpuFacts {
  std::string vendor;  ///< "GenuineIntel", "AuthenticAMD", ...
  std::string brand;   ///< the marketing name, trimmed
  int family = 0;
  int model = 0;
  int stepping = 0;
  bool avx = false;
  bool avx2 = false;    ///< AVX2 and FMA3
  bool avx512 = false;  ///< F, CD, BW, DQ and VL: the set of Skylake-X
  bool avx512_bf16 = false;
};

CpuFacts cpu_facts();

struct Machine {
  CpuFacts cpu;
  kernels::SimdLevel simd = kernels::SimdLevel::kBaseline;  ///< what our own kernels use
  int logical_cores = 1;                                    ///< of the machine
  int usable_cores = 1;                                     ///< what this process may keep busy
  std::int64_t memory_bytes = 0;
  std::int64_t memory_available_bytes = 0;
  double load_average = 0;  ///< over the last minute
};

/// Facts of this machine, read now.
Machine machine();

/// The cores a control-group quota grants (1.5 = one and a half), the least over the group and its
/// ancestors; nothing if no quota is set. `cgroup_root` is where the control groups are mounted
/// and `membership` the text of /proc/self/cgroup; both versions 1 and 2 are understood.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path& cgroup_root,
                                       const std::string& membership);

/// Whole cores under an affinity mask of `affinity` cores and a quota. A quota is rounded down, to
/// one at least: with more threads than that the kernel stops them all until its next period.
int usable_cores(int affinity, std::optional<double> quota);

}  // namespace equiframe::runtime
