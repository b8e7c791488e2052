#include "runtime/openblas_cores.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "runtime/blas_info.h"

namespace equiframe::runtime {
namespace {

using Width = KernelWidth;

constexpr std::array<std::pair<std::string_view, Width>, 26> kCores{{
    {"Katmai", Width::kSse},        {"Coppermine", Width::kSse},
    {"Northwood", Width::kSse},     {"Prescott", Width::kSse},
    {"Banias", Width::kSse},        {"Atom", Width::kSse},
    {"Core2", Width::kSse},         {"Penryn", Width::kSse},
    {"Dunnington", Width::kSse},    {"Nehalem", Width::kSse},
    {"Athlon", Width::kSse},        {"Opteron", Width::kSse},
    {"Opteron_SSE3", Width::kSse},  {"Barcelona", Width::kSse},
    {"Nano", Width::kSse},          {"Bobcat", Width::kSse},
    {"Sandybridge", Width::kAvx},   {"Bulldozer", Width::kAvx},
    {"Piledriver", Width::kAvx},    {"Steamroller", Width::kAvx},
    {"Excavator", Width::kAvx},     {"Haswell", Width::kAvx2},
    {"Zen", Width::kAvx2},          {"SkylakeX", Width::kAvx512},
    {"Cooperlake", Width::kAvx512}, {"SapphireRapids", Width::kAvx512},
}};

char upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

bool is_amd(const CpuFacts& cpu) {
  return cpu.vendor == "AuthenticAMD" || cpu.vendor == "HygonGenuine";
}

constexpr int kZenFamily = 0x17;

}  // namespace

bool same_core(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return upper(x) == upper(y); });
}

KernelWidth kernel_width(std::string_view core) {
  for (const auto& [known, width] : kCores) {
    if (same_core(known, core)) return width;
  }
  return Width::kUnknown;
}

std::string table_symbol(std::string_view core) {
  std::string symbol = "gotoblas_";
  for (const char c : core) symbol += upper(c);
  return symbol;
}

std::vector<std::string> suitable_cores(const CpuFacts& cpu) {
  if (is_amd(cpu) && cpu.family < kZenFamily) return {};
  std::vector<std::string> cores;
  if (cpu.avx512_bf16) cores.emplace_back("Cooperlake");
  if (cpu.avx512) cores.emplace_back("SkylakeX");
  if (cpu.avx2 && is_amd(cpu)) cores.emplace_back("Zen");
  if (cpu.avx2) cores.emplace_back("Haswell");
  if (cpu.avx) cores.emplace_back("Sandybridge");
  return cores;
}

bool is_misdetected(const BlasInfo& blas, std::string_view expected) {
  if (blas.kind != BlasKind::kOpenBlas) return false;
  const Width in_use = kernel_width(blas.kernel);
  return in_use != Width::kUnknown && in_use < kernel_width(expected);
}

}  // namespace equiframe::runtime
