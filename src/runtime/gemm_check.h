#pragma once

#include "runtime/blas_library.h"

namespace equiframe::runtime {

/// Whether sgemm_ and dgemm_ of `library` agree with plain loops on a few small products. Sizes
/// straddle the blocking of the kernels so that edge code runs too. Takes well under a millisecond.
bool products_are_right(const BlasLibrary& library);

}  // namespace equiframe::runtime
