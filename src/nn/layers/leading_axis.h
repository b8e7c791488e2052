#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// The unit eigenvector of the largest eigenvalue of symmetric matrices [..., 9], row-major 3 x 3:
/// [..., 3], of either sign. The gradient divides by gaps between eigenvalues; smaller ones than
/// 1e-3 count as that, so it stays finite where the axis is not defined.
Tensor leading_axis(const Tensor& matrices);

}  // namespace equiframe::inline nn
