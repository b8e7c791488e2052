#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "runtime/machine.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace equiframe::runtime {
namespace {

#if defined(__x86_64__)

struct Registers {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero if the processor does not have the leaf.
Registers cpuid(std::uint32_t leaf) {
  Registers r;
  if (__get_cpuid(leaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

std::string text_of(const std::array<std::uint32_t, 3>& words) {
  std::array<char, sizeof(words)> bytes{};
  std::memcpy(bytes.data(), words.data(), sizeof(words));
  return {bytes.data(), bytes.size()};
}

/// The 48 characters of leaves 0x80000002 to 0x80000004, without padding.
std::string brand_string() {
  std::string brand;
  for (std::uint32_t leaf = 0x80000002; leaf <= 0x80000004; ++leaf) {
    const Registers r = cpuid(leaf);
    brand += text_of({r.eax, r.ebx, r.ecx}) + text_of({r.edx, 0, 0}).substr(0, 4);
  }
  brand = brand.substr(0, brand.find('\0'));
  const auto first = brand.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return brand.substr(first, brand.find_last_not_of(' ') - first + 1);
}

/// Extended family and model count as the vendors' manuals prescribe.
void set_signature(CpuFacts& cpu, std::uint32_t signature) {
  const auto bits = [signature](int from, std::uint32_t mask) {
    return static_cast<int>((signature >> from) & mask);
  };
  cpu.stepping = bits(0, 0xf);
  cpu.model = bits(4, 0xf);
  cpu.family = bits(8, 0xf);
  if (cpu.family == 0x6 || cpu.family == 0xf) cpu.model += bits(16, 0xf) << 4;
  if (cpu.family == 0xf) cpu.family += bits(20, 0xff);
}

#endif

}  // namespace

CpuFacts cpu_facts() {
  CpuFacts cpu;
#if defined(__x86_64__)
  const Registers id = cpuid(0);
  cpu.vendor = text_of({id.ebx, id.edx, id.ecx});
  cpu.brand = brand_string();
  set_signature(cpu, cpuid(1).eax);
  __builtin_cpu_init();
  cpu.avx = __builtin_cpu_supports("avx") != 0;
  cpu.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  cpu.avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
               __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0;
  cpu.avx512_bf16 = cpu.avx512 && __builtin_cpu_supports("avx512bf16") != 0;
#endif
  return cpu;
}

}  // namespace equiframe::runtime
