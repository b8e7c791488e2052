#pragma once

#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline frames {

/// One labelling for each isomorphism class of a graph with node types, and its symmetries. Works
/// on the lists of neighbours, by nauty (McKay and Piperno): graphs of many thousand nodes cost
/// what their edges cost. Above 128 nodes, twins, chains, leaves and equal components are put
/// together before; what nauty then cannot order in about ten seconds is a UserError. Safe to call
/// from several threads.
struct CanonicalForm {
  std::vector<int64_t> order;   ///< place -> node; nodes of a smaller type come first
  std::vector<int64_t> orbits;  ///< [nodes]: the smallest node of each node's orbit under Aut
  double log_group_order = 0;   ///< log |Aut|

  /// |Aut| in decimal, rounded where it is too large to be written out.
  std::string group_order() const;
};
CanonicalForm canonical_form(const SimpleGraph& graph);

/// The graph in its canonical labelling: equal for two graphs if and only if they are isomorphic.
SimpleGraph canonical_graph(const SimpleGraph& graph);

}  // namespace equiframe::inline frames
