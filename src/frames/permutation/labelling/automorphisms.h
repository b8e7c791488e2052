#pragma once

#include "equiframe/groups/symmetric.h"

namespace equiframe::inline frames {

/// The stabiliser G_X of a graph X = (Y, A) in S_n: the relabellings that change neither the edges
/// nor the node features. Values are compared exactly; padding stays where it is.
struct Automorphisms {
  Tensor generators;     ///< [m, n] int64, elements of S(n); m = 0 for a rigid graph
  double log_order = 0;  ///< log |G_X|
  Tensor node_orbits;    ///< [n] int64: the smallest node of each node's orbit

  /// The whole group as elements of S(n), [|G_X|, n] int64, identity first; a UserError if it has
  /// more than `limit`.
  Tensor elements(int64_t limit = 50000) const;
};

/// Of item `item` of a batch whose x is of type `in`; the graph is `pair`, or x of type pair.
Automorphisms automorphisms(const Batch& graph, int64_t item,
                            const PermutationType& in = PermutationType::Kind::kNode);

}  // namespace equiframe::inline frames
