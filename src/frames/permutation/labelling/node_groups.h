// Nodes that one node can stand for.
#pragma once

#include <optional>
#include <vector>

#include "frames/permutation/labelling/canonical_form.h"

namespace equiframe::inline frames {

/// A partition of the nodes of a graph such that the graph of the first members, with a type that
/// tells the group, has all the rest of the symmetries.
struct NodeGroups {
  /// kAlike: every permutation of the members of a group is a symmetry. kFixed: a symmetry that
  /// moves the first member moves the others in their order.
  enum class Members { kAlike, kFixed };

  std::vector<int64_t> first;  // [groups + 1]
  std::vector<int64_t> nodes;  // [n]: group after group
  Members members = Members::kAlike;

  int64_t count() const { return static_cast<int64_t>(first.size()) - 1; }
};

/// Nodes of one type with the same neighbours, joined to each other or not.
NodeGroups joined_twins(const SimpleGraph& graph);
NodeGroups apart_twins(const SimpleGraph& graph);
/// The nodes of each chain that ends at a leaf, the one farthest from the leaf first. Of a graph
/// that is a chain one or two nodes are left between its halves.
NodeGroups chains(const SimpleGraph& graph);
/// Each node with the leaves that hang on it, which must be of different types: a graph without
/// apart twins. Two nodes with nothing but each other stay apart.
NodeGroups with_leaves(const SimpleGraph& graph);

/// The graph of the first members. Types number the lists of types of the members, in lexicographic
/// order, so that types of first members stay in their order.
SimpleGraph graph_of_groups(const SimpleGraph& graph, const NodeGroups& groups);

/// The form of the graph, from that of its groups. Nodes come group after group.
CanonicalForm form_from_groups(const NodeGroups& groups, const CanonicalForm& form);

}  // namespace equiframe::inline frames
