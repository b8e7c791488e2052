// What spectral networks want to know of each graph, in float64.
#pragma once

#include <functional>

#include "equiframe/core/batch.h"
#include "frames/permutation/graph_eigen.h"

namespace equiframe::inline models {

/// One graph of a batch, real nodes only.
struct DenseGraph {
  std::vector<int64_t> slots;     // of the real nodes
  std::vector<double> adjacency;  // [n, n]
  /// L = I - D^-1/2 A D^-1/2; 1 for a node without edges.
  std::vector<double> laplacian;  // [n, n]

  int64_t nodes() const { return static_cast<int64_t>(slots.size()); }
};

/// The batch with `count` channels behind the adjacency: f(graph, channels) sets
/// channels [count, n, n] of each graph, which begin as zeros; several threads at a time.
Batch add_pair_channels(
    const Batch& batch, int64_t count,
    const std::function<void(const DenseGraph& graph, std::vector<double>& channels)>& f);

}  // namespace equiframe::inline models
