// A kernel family: a struct of functions, written in one source, compiled for each of its
// instruction sets and chosen at run time.
//
//   struct SquareKernels {                                                // its header
//     void (*square)(std::int64_t count, const float* x, float* y);
//   };
//   EQUIFRAME_KERNELS(SquareKernels, {&square_all});                      // the end of its source
//   equiframe_kernel(nn/kernels/square.cpp                                # src/kernels.cmake
//                    CONTRACT exact LEVELS baseline avx2)
//   Table<SquareKernels>::chosen().square(count, x, y);                   // who calls it
//
// Everything else in the source is in an anonymous namespace: of a function with a name the linker
// keeps one copy for the program, and it may keep the one for AVX-512. What must be compiled but
// once, such as the public functions that call the table, stands behind it in #if EQUIFRAME_ONCE.
#pragma once

#include "simd/cpu.h"

namespace equiframe::kernels::inline simd {

template <class Family>
struct Table {
  /// The functions compiled for a level, which must not be above `highest_simd_level()`, or for the
  /// next lower one that the family has.
  static const Family& at(SimdLevel level);
  static const Family& chosen() { return at(simd_level()); }

  /// Each is defined in the object of its level, if the family has it.
  template <SimdLevel kLevel>
  static const Family kCompiled;
};

/// A family of functions that exist for float and for double.
template <template <class> class Functions>
struct BothPrecisions {
  Functions<float> f32;
  Functions<double> f64;

  template <class T>
  const Functions<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float))
      return f32;
    else
      return f64;
  }
};

}  // namespace equiframe::kernels::inline simd

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline simd {

/// Of the highest of kLevels, which ascend, that is not above `level`.
template <class Family, SimdLevel... kLevels>
const Family& highest_compiled(SimdLevel level) {
  const Family* highest = nullptr;
  ((kLevels <= level ? highest = &Table<Family>::template kCompiled<kLevels> : highest), ...);
  return *highest;
}

}  // namespace equiframe::kernels::inline simd

#define EQUIFRAME_CHOICE(Family)                                   \
  template <>                                                      \
  template <>                                                      \
  const Family Table<Family>::kCompiled<SimdLevel::kAvx2>;         \
  template <>                                                      \
  template <>                                                      \
  const Family Table<Family>::kCompiled<SimdLevel::kAvx512>;       \
  template <>                                                      \
  const Family& Table<Family>::at(SimdLevel level) {               \
    using enum SimdLevel;                                          \
    return highest_compiled<Family, EQUIFRAME_SIMD_LEVELS>(level); \
  }
#else
#define EQUIFRAME_CHOICE(Family)
#endif

/// Defines the functions of `Family`, a class in equiframe::kernels, for the level that is being
/// compiled. They are a constant: nothing of an instruction set may run before it is chosen.
/// cmake/kernels.cmake gives EQUIFRAME_SIMD_LEVEL, this level; EQUIFRAME_SIMD_LEVELS, all that the
/// family has; EQUIFRAME_ONCE, 1 for the baseline.
#define EQUIFRAME_KERNELS(Family, ...)                                                            \
  namespace equiframe::kernels::inline simd {                                                     \
  template <>                                                                                     \
  template <>                                                                                     \
  constinit const Family Table<Family>::kCompiled<SimdLevel::EQUIFRAME_SIMD_LEVEL> = __VA_ARGS__; \
  EQUIFRAME_CHOICE(Family)                                                                        \
  }                                                                                               \
  static_assert(true)
