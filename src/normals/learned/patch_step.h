#pragma once

#include <vector>

#include "equiframe/core/tensor.h"

namespace equiframe::inline normals {

/// The model fa-patch on patches x [B, K, 3], nearest first, with one element of the frame for each
/// stage of each patch, `flips` [B, stages + 1] uint8, and the numbers of its cloud, `clouds` [B,
/// C]: normals [B, 3]. One fused kernel forward and one backward (kernels/patch_network.h); the
/// gradient goes to `parameters` alone, the model's own in their order. First derivatives only.
Tensor patch_step(const Tensor& x, const Tensor& clouds, const Tensor& flips,
                  const std::vector<Tensor>& parameters);

}  // namespace equiframe::inline normals
