#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// The intertwiner Q_J of SO(3) from degree `j` to out (x) in, [2 out + 1, 2 in + 1, 2 j + 1]
/// float64 in the real bases of `spherical_harmonics`, of Frobenius norm one; unique up to its
/// sign. Needs |out - in| <= j <= out + in.
Tensor real_clebsch_gordan(int64_t out, int64_t in, int64_t j);

}  // namespace equiframe::inline nn
