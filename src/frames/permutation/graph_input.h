#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/core/batch.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::inline frames {

/// One graph (Y, A) of a batch as plain arrays: real nodes only, in float64, which holds every
/// value of the input exactly.
struct Graph {
  int64_t nodes = 0;              // n
  int64_t channels = 0;           // E
  int64_t node_values = 0;        // C
  std::vector<double> pair;       // [n, n, E]
  std::vector<double> node;       // [n, C]: features, weight and self-loop of each node
  std::vector<double> adjacency;  // [n, n]: (A + A^T) / 2 summed over channels, zero diagonal
  double asymmetry = 0;           // max |A - A^T| / max |A| of the summed channels
  std::vector<int64_t> slots;     // [N]: slots of the real nodes in ascending order, then padding
};

/// The same graph with node order[p] at place p. The slots stay with the nodes.
Graph relabel(const Graph& graph, const std::vector<int64_t>& order);

/// The graphs of a batch. The adjacency is `pair`, or x itself where x is of type `pair`; several
/// channels are summed for `adjacency` only. Everything that S_n moves is part of the graph: node
/// features, weights, and a pair-typed x beside `pair`.
class GraphBatch {
 public:
  /// `size` is the n of S(n); `owner` names who asks in the text of errors.
  GraphBatch(const Batch& batch, const PermutationType& in, int64_t size, std::string owner);

  int64_t size() const { return size_; }
  int64_t slots() const { return slots_; }
  /// Rounding unit of the type the adjacency came in, zero for integers.
  double rounding() const { return rounding_; }
  Graph item(int64_t b) const;

 private:
  void read_nodes(Graph& graph, int64_t b) const;
  void read_pairs(Graph& graph, int64_t b) const;
  void read_adjacency(Graph& graph) const;

  std::string owner_;
  int64_t size_ = 0;                // B
  int64_t slots_ = 0;               // N
  int64_t adjacency_channels_ = 0;  // the first channels of pair_
  double rounding_ = 0;
  Tensor pair_;  // [B, N, N, E] float64
  Tensor node_;  // [B, N, C] float64, undefined if there are no node values
  Tensor mask_;  // [B, N] bool, undefined if there is no padding
};

}  // namespace equiframe::inline frames
