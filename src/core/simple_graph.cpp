#include "core/simple_graph.h"

#include <algorithm>
#include <numeric>

#include <c10/util/StringUtil.h>

#include "equiframe/core/error.h"

namespace equiframe::inline core {

void tidy(SimpleGraph& graph) {
  for (SimpleGraph::Edge& edge : graph.edges) {
    for (const int32_t end : edge) {
      if (end < 0 || end >= graph.nodes)
        throw UserError(c10::str("an edge ends at node ", end, ", but the graph has nodes 0 to ",
                                 graph.nodes - 1));
    }
    if (edge[0] == edge[1])
      throw UserError(c10::str("node ", edge[0], " has an edge to itself; remove it"));
    if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  }
  std::sort(graph.edges.begin(), graph.edges.end());
  const auto twice = std::adjacent_find(graph.edges.begin(), graph.edges.end());
  if (twice != graph.edges.end())
    throw UserError(
        c10::str("the edge ", (*twice)[0], " - ", (*twice)[1], " is there twice; keep one"));
}

Neighborhoods neighborhoods(const SimpleGraph& graph) {
  Neighborhoods result;
  result.first.assign(static_cast<size_t>(graph.nodes) + 1, 0);
  for (const auto& [u, v] : graph.edges) ++result.first[u + 1], ++result.first[v + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.neighbor.resize(2 * graph.edges.size());
  std::vector<int64_t> next(result.first.begin(), result.first.end() - 1);
  // Edges ascend, so that a node meets its smaller neighbours first: lists come out sorted.
  for (const auto& [u, v] : graph.edges) result.neighbor[next[v]++] = u;
  for (const auto& [u, v] : graph.edges) result.neighbor[next[u]++] = v;
  return result;
}

std::vector<int64_t> components(const SimpleGraph& graph) {
  const Neighborhoods around = neighborhoods(graph);
  std::vector<int64_t> component(static_cast<size_t>(graph.nodes), -1);
  std::vector<int64_t> open;
  int64_t count = 0;
  for (int64_t start = 0; start < graph.nodes; ++start) {
    if (component[start] >= 0) continue;
    component[start] = count;
    open.push_back(start);
    while (!open.empty()) {
      const int64_t u = open.back();
      open.pop_back();
      for (int64_t k = around.first[u]; k < around.first[u + 1]; ++k) {
        const int32_t v = around.neighbor[k];
        if (component[v] >= 0) continue;
        component[v] = count;
        open.push_back(v);
      }
    }
    ++count;
  }
  return component;
}

std::optional<StronglyRegular> strongly_regular(const SimpleGraph& graph) {
  const Neighborhoods near = neighborhoods(graph);
  const int64_t n = graph.nodes, degree = n > 0 ? near.degree(0) : 0;
  if (degree == 0 || degree == n - 1) return std::nullopt;
  int64_t common[2] = {-1, -1};  // of pairs that are joined, and of those that are not
  std::vector<char> joined(static_cast<size_t>(n));
  for (int64_t u = 0; u < n; ++u) {
    if (near.degree(u) != degree) return std::nullopt;
    std::fill(joined.begin(), joined.end(), char{0});
    for (int64_t k = near.first[u]; k < near.first[u + 1]; ++k) joined[near.neighbor[k]] = 1;
    for (int64_t v = 0; v < n; ++v) {
      if (v == u) continue;
      int64_t both = 0;
      for (int64_t k = near.first[v]; k < near.first[v + 1]; ++k) both += joined[near.neighbor[k]];
      int64_t& known = common[joined[v] != 0 ? 0 : 1];
      if (known >= 0 && known != both) return std::nullopt;
      known = both;
    }
  }
  if (common[1] == 0) return std::nullopt;  // it falls apart into complete graphs
  return StronglyRegular{n, degree, common[0], common[1]};
}

SimpleGraph relabel(const SimpleGraph& graph, const std::vector<int64_t>& order) {
  std::vector<int32_t> place(order.size());
  for (size_t p = 0; p < order.size(); ++p) place[order[p]] = static_cast<int32_t>(p);
  SimpleGraph result{graph.nodes, graph.edges, {}, graph.label};
  for (SimpleGraph::Edge& edge : result.edges) {
    edge = {place[edge[0]], place[edge[1]]};
    if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  }
  std::sort(result.edges.begin(), result.edges.end());
  if (!graph.types.empty())
    for (const int64_t node : order) result.types.push_back(graph.types[node]);
  return result;
}

}  // namespace equiframe::inline core
