#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "frames/permutation/graph_input.h"

namespace equiframe::inline frames {

/// An ordered partition of the n nodes of a graph into cells of nodes that tie.
struct Cells {
  std::vector<int64_t> order;  // [n]: the nodes, cell after cell
  std::vector<char> starts;    // [n]: 1 where a cell starts in `order`
  /// Smallest distance of a decision by tolerance from the opposite one, in [0, 1]:
  /// |gap - tolerance| / max(gap, tolerance). Rounding can only flip decisions near zero.
  double margin = INFINITY;

  int64_t nodes() const { return static_cast<int64_t>(order.size()); }
  bool discrete() const;
  /// Where the cell that starts at `start` ends.
  int64_t end(int64_t start) const;
  /// [n]: the place in `order` where each node's cell starts; equal iff two nodes tie.
  std::vector<int64_t> ranks() const;
  /// log of the product of the factorials of the cells' sizes.
  double log_arrangements() const;
};

/// All nodes tie.
Cells one_cell(int64_t nodes);

/// Splits every cell by `key` [n], smaller keys first.
void split_by_key(Cells& cells, const std::vector<int64_t>& key);

/// Splits every cell where its members' sorted values [n] have a gap above `tolerance`: ties are
/// transitive, and no value is ever rounded.
void split_by_gaps(Cells& cells, const double* values, double tolerance);

/// Splits by the row sums of the adjacency.
void split_by_degree(Cells& cells, const Graph& graph, double tolerance);

/// The distinct values of node pairs, numbered in lexicographic order and compared exactly.
struct PairClasses {
  int64_t nodes = 0;
  int64_t count = 0;           // of classes off the diagonal
  bool directed = false;       // (i, j) and (j, i) differ somewhere
  std::vector<int32_t> index;  // [n, n]: class of (i, j); the diagonal is 0 and means nothing
};
PairClasses pair_classes(const Graph& graph);

/// [n]: the distinct rows of `graph.node` (features, weight, self-loop), numbered likewise.
std::vector<int64_t> node_classes(const Graph& graph);

/// Colour refinement (1-WL) with edge classes: splits by the multiset of (class, cell) over all
/// other nodes until nothing changes.
void refine_by_neighbours(Cells& cells, const PairClasses& pairs);

}  // namespace equiframe::inline frames
