#pragma once

#include <string_view>

namespace equiframe::kernels::inline simd {

/// Instruction sets the kernels are compiled for, in ascending order.
enum class SimdLevel {
  kBaseline,  ///< what every processor of the architecture has (SSE2 on x86-64)
  kAvx2,      ///< AVX2 and FMA
  kAvx512,    ///< AVX-512 F, DQ, VL and BW
};

/// The highest level this processor and this build have.
SimdLevel highest_simd_level();

/// The level the kernels use: the highest one, or a lower one if the environment variable
/// EQUIFRAME_SIMD asks for it (`baseline`, `avx2` or `avx512`; other texts are ignored). Read once;
/// a request above `highest_simd_level()` is lowered to it.
SimdLevel simd_level();

/// `baseline`, `avx2` or `avx512`.
std::string_view name(SimdLevel level);

}  // namespace equiframe::kernels::inline simd
