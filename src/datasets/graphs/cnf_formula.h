// Formulas in conjunctive form and the graphs that encode them.
#pragma once

#include <vector>

#include "core/simple_graph.h"
#include "datasets/graphs/planar_map.h"

namespace equiframe::inline datasets {

/// Variables 0 .. variables - 1; literal 2 v is variable v, literal 2 v + 1 its negation.
struct Formula {
  int64_t variables = 0;
  std::vector<std::vector<int64_t>> clauses;  // of literals
};

/// By trying all assignments, 2^variables of them.
bool satisfiable(const Formula& formula);

/// The formula of a graph's nodes; throws UserError if it is none (see data/graph_sets.h).
Formula formula_of(const SimpleGraph& graph);

/// A satisfiable formula whose graph is planar, from a planar map of `nodes` nodes.
Formula planar_formula(int64_t nodes, const Draw& draw);

/// The core of a pair: 2 h variables in a cycle of implications that contradicts itself
/// (unsatisfiable), or in two cycles that do not.
enum class Core { kSatisfiable, kUnsatisfiable };

/// Nodes of the base (positive literals, negative ones, clauses), then those of the core in the
/// order of the published set.
SimpleGraph graph_of(const Formula& base, Core core, int64_t h);

}  // namespace equiframe::inline datasets
