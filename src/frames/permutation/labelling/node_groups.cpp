#include "frames/permutation/labelling/node_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "equiframe/core/rng.h"

namespace equiframe::inline frames {
namespace {

/// A list of numbers for each of n nodes, one behind the other.
struct Rows {
  std::vector<int64_t> first;  // [n + 1]
  std::vector<int64_t> values;

  auto begin(int64_t row) const { return values.begin() + first[row]; }
  auto end(int64_t row) const { return values.begin() + first[row + 1]; }
  bool less(int64_t a, int64_t b) const {
    return std::lexicographical_compare(begin(a), end(a), begin(b), end(b));
  }
  bool equal(int64_t a, int64_t b) const { return std::equal(begin(a), end(a), begin(b), end(b)); }
  int64_t count() const { return static_cast<int64_t>(first.size()) - 1; }
};

int64_t type_of(const SimpleGraph& graph, int64_t node) {
  return graph.types.empty() ? 0 : graph.types[node];
}

enum class Self { kLeftOut, kIncluded };

/// Of each node its type, its degree and its neighbours, itself among them or not.
Rows neighbor_rows(const SimpleGraph& graph, Self self) {
  const Neighborhoods near = neighborhoods(graph);
  Rows rows{{0}, {}};
  rows.first.reserve(static_cast<size_t>(graph.nodes) + 1);
  rows.values.reserve(near.neighbor.size() + 3 * static_cast<size_t>(graph.nodes));
  for (int64_t u = 0; u < graph.nodes; ++u) {
    rows.values.push_back(type_of(graph, u));
    rows.values.push_back(near.degree(u));
    const auto begin = near.neighbor.begin() + near.first[u];
    const auto end = near.neighbor.begin() + near.first[u + 1];
    const auto larger = std::lower_bound(begin, end, u);
    rows.values.insert(rows.values.end(), begin, larger);
    if (self == Self::kIncluded) rows.values.push_back(u);
    rows.values.insert(rows.values.end(), larger, end);
    rows.first.push_back(static_cast<int64_t>(rows.values.size()));
  }
  return rows;
}

/// Equal rows together, in an order that means nothing: most comparisons meet two hashes only.
std::vector<int64_t> equal_together(const Rows& rows) {
  std::vector<std::pair<uint64_t, int64_t>> hashed;
  hashed.reserve(static_cast<size_t>(rows.count()));
  for (int64_t row = 0; row < rows.count(); ++row) {
    Rng hash;
    for (auto value = rows.begin(row); value != rows.end(row); ++value)
      hash.seed = hash.bits(static_cast<uint64_t>(*value), 0);
    hashed.emplace_back(hash.seed, row);
  }
  std::sort(hashed.begin(), hashed.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : rows.less(a.second, b.second);
  });
  std::vector<int64_t> order;
  order.reserve(hashed.size());
  for (const auto& [hash, row] : hashed) order.push_back(row);
  return order;
}

NodeGroups twins(const SimpleGraph& graph, Self self) {
  const Rows rows = neighbor_rows(graph, self);
  NodeGroups groups{{}, equal_together(rows), NodeGroups::Members::kAlike};
  for (int64_t p = 0; p < graph.nodes; ++p)
    if (p == 0 || !rows.equal(groups.nodes[p - 1], groups.nodes[p])) groups.first.push_back(p);
  groups.first.push_back(graph.nodes);
  return groups;
}

}  // namespace

NodeGroups joined_twins(const SimpleGraph& graph) {
  return twins(graph, Self::kIncluded);
}

NodeGroups apart_twins(const SimpleGraph& graph) {
  return twins(graph, Self::kLeftOut);
}

NodeGroups chains(const SimpleGraph& graph) {
  const Neighborhoods near = neighborhoods(graph);
  NodeGroups groups{{0}, {}, NodeGroups::Members::kFixed};
  groups.nodes.reserve(static_cast<size_t>(graph.nodes));
  std::vector<char> grouped(static_cast<size_t>(graph.nodes), 0);
  const auto add = [&](auto begin, auto end) {
    for (; begin != end; ++begin) {
      groups.nodes.push_back(*begin);
      grouped[*begin] = 1;
    }
    groups.first.push_back(static_cast<int64_t>(groups.nodes.size()));
  };
  for (int64_t leaf = 0; leaf < graph.nodes; ++leaf) {
    if (near.degree(leaf) != 1) continue;
    std::vector<int64_t> chain{leaf};
    int64_t node = near.neighbor[near.first[leaf]];
    while (near.degree(node) == 2) {
      const int32_t* ends = near.neighbor.data() + near.first[node];
      const int64_t next = ends[0] == chain.back() ? ends[1] : ends[0];
      chain.push_back(node);
      node = next;
    }
    if (near.degree(node) == 1) chain.resize(chain.size() / 2);  // of a chain with two leaves
    if (!chain.empty()) add(chain.rbegin(), chain.rend());
  }
  for (int64_t node = 0; node < graph.nodes; ++node)
    if (grouped[node] == 0) add(&node, &node + 1);
  return groups;
}

NodeGroups with_leaves(const SimpleGraph& graph) {
  const Neighborhoods near = neighborhoods(graph);
  const auto hangs = [&](int64_t u) {
    return near.degree(u) == 1 && near.degree(near.neighbor[near.first[u]]) > 1;
  };
  NodeGroups groups{{0}, {}, NodeGroups::Members::kFixed};
  groups.nodes.reserve(static_cast<size_t>(graph.nodes));
  for (int64_t u = 0; u < graph.nodes; ++u) {
    if (hangs(u)) continue;
    groups.nodes.push_back(u);
    const auto leaves = static_cast<int64_t>(groups.nodes.size());
    for (int64_t k = near.first[u]; k < near.first[u + 1]; ++k)
      if (hangs(near.neighbor[k])) groups.nodes.push_back(near.neighbor[k]);
    std::sort(groups.nodes.begin() + leaves, groups.nodes.end(),
              [&](int64_t a, int64_t b) { return type_of(graph, a) < type_of(graph, b); });
    groups.first.push_back(static_cast<int64_t>(groups.nodes.size()));
  }
  return groups;
}

SimpleGraph graph_of_groups(const SimpleGraph& graph, const NodeGroups& groups) {
  Rows types{groups.first, {}};
  for (const int64_t node : groups.nodes) types.values.push_back(type_of(graph, node));
  SimpleGraph result{groups.count(), {}, std::vector<int64_t>(groups.count()), graph.label};
  std::vector<int64_t> ascending(static_cast<size_t>(groups.count()));
  std::iota(ascending.begin(), ascending.end(), int64_t{0});
  std::sort(ascending.begin(), ascending.end(),
            [&](int64_t a, int64_t b) { return types.less(a, b); });
  int64_t type = 0, last = -1;
  for (const int64_t group : ascending) {
    if (last >= 0 && !types.equal(last, group)) ++type;
    result.types[group] = type;
    last = group;
  }
  std::vector<int32_t> place(static_cast<size_t>(graph.nodes), -1);  // of first members
  for (int64_t g = 0; g < groups.count(); ++g)
    place[groups.nodes[groups.first[g]]] = static_cast<int32_t>(g);
  for (const auto& [u, v] : graph.edges)
    if (place[u] >= 0 && place[v] >= 0)
      result.edges.push_back({std::min(place[u], place[v]), std::max(place[u], place[v])});
  std::sort(result.edges.begin(), result.edges.end());
  return result;
}

CanonicalForm form_from_groups(const NodeGroups& groups, const CanonicalForm& form) {
  const bool alike = groups.members == NodeGroups::Members::kAlike;
  CanonicalForm result{{}, std::vector<int64_t>(groups.nodes.size()), form.log_group_order};
  result.order.reserve(groups.nodes.size());
  // The smallest node that a symmetry takes each member to, kept at the first group of an orbit.
  std::vector<int64_t> smallest = groups.nodes;
  const auto member = [&](int64_t group, int64_t k) -> int64_t& {
    return smallest[groups.first[group] + (alike ? 0 : k)];
  };
  for (const int64_t group : form.order) {
    const int64_t begin = groups.first[group], size = groups.first[group + 1] - begin;
    if (alike) result.log_group_order += std::lgamma(static_cast<double>(size) + 1);
    for (int64_t k = 0; k < size; ++k) {
      const int64_t node = groups.nodes[begin + k];
      result.order.push_back(node);
      int64_t& least = member(form.orbits[group], k);
      least = std::min(least, node);
    }
  }
  for (int64_t group = 0; group < groups.count(); ++group)
    for (int64_t p = groups.first[group]; p < groups.first[group + 1]; ++p)
      result.orbits[groups.nodes[p]] = member(form.orbits[group], p - groups.first[group]);
  return result;
}

}  // namespace equiframe::inline frames
