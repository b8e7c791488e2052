// A kernel family as somebody adds one: this header, one source and one line of CMake.
#pragma once

#include <cstdint>

#include "simd/table.h"

namespace equiframe::kernels {

struct ScaledKernels {
  /// y = a x, and how many numbers went into a register.
  int (*scaled)(std::int64_t count, float a, const float* x, float* y);
};

}  // namespace equiframe::kernels
