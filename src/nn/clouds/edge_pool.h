// Pooling over the edges of a graph with batch norm, differentiable; see kernels/edge_pool.h.
#pragma once

#include "nn/clouds/packed_points.h"
#include "nn/layers/row_norm.h"

namespace equiframe::inline nn {

enum class Pool { kMax, kMean };

/// Edges from neighbours j to rows i, with v_ij = P_j + Q_i or W leaky(P_j + Q_i).
struct Edges {
  Tensor sender, receiver;  // P, Q [R, H]
  Tensor neighbors;         // [R, k] int64, rows of the same cloud
  Tensor weight;            // W [C, H]; undefined = none
};

/// Mean and variance of v over all edges, [C] float64 each.
RowNorm::Statistics edge_statistics(const PackedPoints& rows, const Edges& edges);

/// pool_j leaky(norm(v_ij)), [R, C], by the statistics of the edges in training. Rows are pooled
/// over their own edges, so the result of a cloud depends on others by batch norm only.
Tensor edge_pool(const PackedPoints& rows, const Edges& edges, RowNorm& norm, Pool pool);

}  // namespace equiframe::inline nn
