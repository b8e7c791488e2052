#pragma once

#include <cstdint>

#include "equiframe/core/tensor.h"

namespace equiframe::inline geometry {

/// The k nearest neighbours within each item of a batch, [B, N, k] int64, by comparing all pairs:
/// for networks that look for neighbours among features.
///
/// `features` [B, N, C] float32 or float64; `mask` [B, N] bool, true for points that exist, or
/// undefined. A point comes first in its own list, then by (distance, index); distances are sums of
/// squared differences in the type of the features. One that is not finite counts as the farthest.
/// Where an item has fewer than k points, their list is repeated from its start, which no maximum
/// over neighbours notices; the list of a point that is masked holds its own index. No gradient
/// flows; results do not depend on threads, on the processor or on the rest of the batch.
Tensor k_nearest(const Tensor& features, int64_t k, const Tensor& mask = {});

}  // namespace equiframe::inline geometry
