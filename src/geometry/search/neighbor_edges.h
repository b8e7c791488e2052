// The edges of a graph of nearest neighbours, in the order in which signs are passed on.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geometry/search/neighbors.h"

namespace equiframe::inline geometry {

/// Rows are points in the order of a search, in which neighbours are close to each other.
struct NeighborGraph {
  int64_t columns = 0;
  Tensor points;                   // [N] int64, the index of each row's point in the cloud
  std::vector<int32_t> neighbors;  // [N, columns], rows, the own one not among them
  std::vector<double> reach;       // [N], squared distance of the last neighbour
};

NeighborGraph neighbor_graph(const NeighborSearch& search, int64_t k);

/// Places and normals [N, 3], float64, in rows of a graph.
struct OrientedCloud {
  const double* x;
  const double* normals;
  int64_t count;
};

/// visit(i, j, sign of s) for all edges of a graph, each once, by weight 1 - |s|, where s is that
/// of orient_normals: ascending, to a part in ten thousand, and in order of rows where that ties.
void for_each_edge_by_weight(const NeighborGraph& graph, const OrientedCloud& cloud,
                             const std::function<void(int32_t, int32_t, int)>& visit);

}  // namespace equiframe::inline geometry
