#include "simd/cpu.h"

#include <algorithm>
#include <cstdlib>

namespace equiframe::kernels::inline simd {
namespace {

SimdLevel requested_level() {
  const char* text = std::getenv("EQUIFRAME_SIMD");
  if (text == nullptr) return SimdLevel::kAvx512;
  for (const SimdLevel level : {SimdLevel::kBaseline, SimdLevel::kAvx2}) {
    if (name(level) == text) return level;
  }
  return SimdLevel::kAvx512;
}

}  // namespace

SimdLevel highest_simd_level() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  if (avx2 && avx512) return SimdLevel::kAvx512;
  if (avx2) return SimdLevel::kAvx2;
#endif
  return SimdLevel::kBaseline;
}

SimdLevel simd_level() {
  static const SimdLevel level = std::min(requested_level(), highest_simd_level());
  return level;
}

std::string_view name(SimdLevel level) {
  switch (level) {
    case SimdLevel::kBaseline:
      return "baseline";
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
  }
  return "unknown";
}

}  // namespace equiframe::kernels::inline simd
