// Twins of graphs with many pair classes.
#pragma once

#include "frames/permutation/labelling/graph_labelling.h"
#include "frames/permutation/labelling/node_groups.h"

namespace equiframe::inline frames {

/// Nodes of one cell that any permutation may exchange: the same pair classes to all others, and
/// one class between them in both directions.
NodeGroups pair_twins(const PairClasses& pairs, const Cells& cells);

/// The graph of the first members of `groups`.
PairClasses pairs_of_groups(const PairClasses& pairs, const NodeGroups& groups);
/// Its cells, in the order of those of the nodes, split by size and by the class within a group.
Cells cells_of_groups(const PairClasses& pairs, const Cells& cells, const NodeGroups& groups);

/// The labelling of the graph, from that of its groups.
Labelling labelling_from_groups(const NodeGroups& groups, const Labelling& labelling);

}  // namespace equiframe::inline frames
