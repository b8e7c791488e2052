#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/simple_graph.h"

namespace equiframe::inline datasets {

/// All connected graphs of `nodes` nodes, 1 to 9, one of each isomorphism class in its canonical
/// labelling, in order of their graph6 lines. 8 nodes give the benchmark GRAPH8c: 11,117 graphs.
std::vector<SimpleGraph> connected_graphs(int64_t nodes);

/// Whether the formula that a graph encodes can be satisfied: nodes of type 0 are clauses, nodes of
/// type 1 literals, joined to their negation and to the clauses they are in. By trying all
/// assignments of each connected part. Throws UserError if the graph is no formula or a part has
/// more than 24 variables.
bool satisfiable(const SimpleGraph& formula);

struct ExpOptions {
  int64_t pairs = 600;
  uint64_t seed = 1;
  int64_t small_base = 12;  ///< nodes of the planar graph behind the base of most pairs,
  int64_t large_base = 15;  ///< and of the last sixth, as in the published set
  bool shuffle = false;     ///< nodes in random order; else base first, as in the published set
};

/// Pairs like those of the benchmark EXP, satisfiable (label 1) and not (label 0) in turn. Both
/// have the same satisfiable planar base, and a core that 1-WL cannot tell apart. Of every pair it
/// is checked that both have as many nodes and edges, that 1-WL leaves them equal and 2-FWL does
/// not, and that the labels are true, by trying all assignments. `progress` is told pairs done.
std::vector<SimpleGraph> exp_like_pairs(const ExpOptions& options,
                                        const std::function<void(int64_t)>& progress = {});

}  // namespace equiframe::inline datasets
