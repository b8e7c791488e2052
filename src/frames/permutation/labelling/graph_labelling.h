#pragma once

#include "frames/permutation/labelling/graph_cells.h"

namespace equiframe::inline frames {

/// A canonical order of the nodes of a coloured graph and its automorphism group.
struct Labelling {
  std::vector<int64_t> order;                    // [n]: place -> node; keeps the order of the cells
  std::vector<std::vector<int64_t>> generators;  // of the group, each [n]: node -> node
  double log_group_order = 0;
};

/// The graph in the order found is the same for every relabelling of the nodes, provided the cells
/// are relabelled with them. Automorphisms keep pair classes and cells. By nauty (McKay and
/// Piperno); safe to call from several threads.
Labelling canonical_labelling(const PairClasses& pairs, const Cells& cells);

}  // namespace equiframe::inline frames
