// Clouds as contiguous float64 coordinates.
#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline geometry {

/// `points` [N, 3] as contiguous float64 on the CPU. A UserError says which row of `what` is not
/// finite or too large, or that there is none.
Tensor cloud_points(const Tensor& points, const char* what);

}  // namespace equiframe::inline geometry
