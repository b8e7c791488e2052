// The edges of a graph of nearest neighbours, in the order in which signs are passed on.
#pragma once

#include <cstdint>
#include <vector>

#include "equiframe/geometry/neighbors.h"

namespace equiframe {

/// An oriented cloud: `x` and `normals` [N, 3].
struct OrientedCloud {
  const double* x;
  const double* normals;
  int64_t count;

  /// s of orient_normals for two points.
  double agreement(int32_t i, int32_t j) const;
};

struct NeighborGraph {
  int64_t columns = 0;
  std::vector<int32_t> neighbors;  // [N, columns], the point itself not among them
  std::vector<double> reach;       // [N], squared distance of the last neighbour
};

NeighborGraph neighbor_graph(const NeighborSearch& search, int64_t k);

/// Positions in `graph.neighbors` of all edges, each once, by weight 1 - |s|: ascending, to a few
/// parts in a hundred thousand, and in order of position where that ties.
std::vector<int64_t> edges_by_weight(const NeighborGraph& graph, const OrientedCloud& cloud);

}  // namespace equiframe
