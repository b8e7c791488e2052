// Memory that a forward pass leaves to its backward pass.
#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::fused {

/// An uninitialised tensor [rows, cols] of `like`'s type. Its memory comes from, and goes back to,
/// a pool of its own: tapes are megabytes that come and go with every training step, and the system
/// would hand out, and clear, their pages each time.
Tensor take_tape(int64_t rows, int64_t cols, const Tensor& like);

}  // namespace equiframe::fused
