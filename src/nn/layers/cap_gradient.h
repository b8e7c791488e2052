#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// x itself; its gradient is scaled down to at most `largest` in the norm of each item (first
/// axis), and an item whose gradient is not finite gets zero. In a long unrolled integration it
/// keeps a few chaotic items from drowning all others.
Tensor cap_gradient(const Tensor& x, double largest);

}  // namespace equiframe::inline nn
