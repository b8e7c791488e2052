#pragma once

#include "equiframe/core/batch.h"

namespace equiframe::inline nn {

/// y_i = sum of h_j over the neighbours j of i, h [B, N, C]: by the lists of an undirected graph
/// where the batch has them (`neighbors`), at a cost that follows the edges; otherwise by the
/// adjacency in the first channel of `pair`. Differentiable in h.
Tensor neighbor_sum(const Batch& batch, const Tensor& h);

}  // namespace equiframe::inline nn
