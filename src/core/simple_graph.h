#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace equiframe::inline core {

/// An undirected graph without loops and repeated edges, as files hold it.
struct SimpleGraph {
  using Edge = std::array<int32_t, 2>;  ///< u < v

  int64_t nodes = 0;
  std::vector<Edge> edges;     ///< ascending
  std::vector<int64_t> types;  ///< [nodes], what kind of node each is; empty = all alike
  int64_t label = 0;           ///< of the graph, where a file gives one

  bool operator==(const SimpleGraph&) const = default;
};

/// The most nodes a graph may have here.
constexpr int64_t kMaxNodes = 1'000'000;

/// Sorts the edges, smaller end first, and throws UserError for a loop, an edge that is there twice
/// or an end that is no node.
void tidy(SimpleGraph& graph);

/// Neighbours of all nodes in one array: those of u lie at [first[u], first[u + 1]), ascending.
struct Neighborhoods {
  std::vector<int64_t> first;     ///< [nodes + 1]
  std::vector<int32_t> neighbor;  ///< [2 edges]

  int64_t degree(int64_t u) const { return first[u + 1] - first[u]; }
};
Neighborhoods neighborhoods(const SimpleGraph& graph);

/// The connected component of each node, numbered from 0 in order of their first nodes.
std::vector<int64_t> components(const SimpleGraph& graph);

/// (nodes, degree, common neighbours of neighbours, of others): graphs with equal parameters look
/// the same to 2-FWL, and so to every network of that power.
using StronglyRegular = std::array<int64_t, 4>;
/// Of a connected graph that is not complete; nothing if it is not strongly regular.
std::optional<StronglyRegular> strongly_regular(const SimpleGraph& graph);

/// The same graph with node order[p] at place p.
SimpleGraph relabel(const SimpleGraph& graph, const std::vector<int64_t>& order);

}  // namespace equiframe::inline core
