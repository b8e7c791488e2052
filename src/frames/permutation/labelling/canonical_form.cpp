#include "frames/permutation/labelling/canonical_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include <nausparse.h>

#include "core/plain_text.h"
#include "frames/permutation/labelling/bounded_search.h"
#include "frames/permutation/labelling/node_groups.h"

namespace equiframe::inline frames {
namespace {

/// The graph as nauty's sparse programs want it; `owner` holds the memory.
struct SparseGraph {
  std::vector<size_t> first;
  std::vector<int> degree, neighbor;
  sparsegraph lists{};

  explicit SparseGraph(const SimpleGraph& from) {
    const Neighborhoods around = neighborhoods(from);
    first.assign(around.first.begin(), around.first.end());
    for (int64_t u = 0; u < from.nodes; ++u) degree.push_back(static_cast<int>(around.degree(u)));
    neighbor.assign(around.neighbor.begin(), around.neighbor.end());
    neighbor.push_back(0);  // never without an address
    SG_INIT(lists);
    lists.nv = static_cast<int>(from.nodes);
    lists.nde = 2 * from.edges.size();
    lists.v = first.data();
    lists.d = degree.data();
    lists.e = neighbor.data();
    lists.vlen = lists.dlen = static_cast<size_t>(from.nodes);
    lists.elen = lists.nde;
  }
  SparseGraph(const SparseGraph&) = delete;
  SparseGraph& operator=(const SparseGraph&) = delete;
};

/// A graph that nauty fills in.
struct SparseResult {
  sparsegraph lists{};

  SparseResult() { SG_INIT(lists); }
  SparseResult(const SparseResult&) = delete;
  SparseResult& operator=(const SparseResult&) = delete;
  ~SparseResult() { SG_FREE(lists); }
};

/// nauty's lab and ptn: nodes in order of their types, 0 where a type ends.
struct Colouring {
  std::vector<int> nodes, same;

  explicit Colouring(const SimpleGraph& of) : nodes(of.nodes), same(of.nodes, 1) {
    std::iota(nodes.begin(), nodes.end(), 0);
    const auto& types = of.types;
    if (!types.empty())
      std::stable_sort(nodes.begin(), nodes.end(),
                       [&](int a, int b) { return types[a] < types[b]; });
    for (size_t p = 0; p < same.size(); ++p)
      if (p + 1 == same.size() || (!types.empty() && types[nodes[p]] != types[nodes[p + 1]]))
        same[p] = 0;
  }
};

CanonicalForm by_search(const SimpleGraph& from) {
  if (from.nodes == 1) return {{0}, {0}, 0};
  SparseGraph sparse(from);
  Colouring colours(from);
  DEFAULTOPTIONS_SPARSEGRAPH(options);
  options.getcanon = TRUE;
  options.defaultptn = FALSE;
  statsblk stats;
  std::vector<int> orbits(static_cast<size_t>(from.nodes));
  SparseResult canonical;
  bounded_search(static_cast<int>(from.nodes), options, [&] {
    sparsenauty(&sparse.lists, colours.nodes.data(), colours.same.data(), orbits.data(), &options,
                &stats, &canonical.lists);
  });
  if (stats.errstatus != 0) throw std::runtime_error("nauty refused a graph");
  return {{colours.nodes.begin(), colours.nodes.end()},
          {orbits.begin(), orbits.end()},
          std::log(stats.grpsize1) + stats.grpsize2 * std::log(10.0)};
}

/// A connected component and its form.
struct Part {
  std::vector<int64_t> nodes;  // in canonical order, as the whole graph numbers them
  SimpleGraph form;            // in canonical order
  std::vector<int64_t> orbit;  // of each place, the first place in its orbit
  double log_group_order = 0;

  auto key() const { return std::tie(form.nodes, form.types, form.edges); }
};

std::vector<SimpleGraph> parts_of(const SimpleGraph& graph, const std::vector<int64_t>& part,
                                  const std::vector<int64_t>& number) {
  std::vector<SimpleGraph> parts(1 + *std::max_element(part.begin(), part.end()));
  for (int64_t u = 0; u < graph.nodes; ++u) {
    ++parts[part[u]].nodes;
    if (!graph.types.empty()) parts[part[u]].types.push_back(graph.types[u]);
  }
  for (const auto& [u, v] : graph.edges)
    parts[part[u]].edges.push_back(
        {static_cast<int32_t>(number[u]), static_cast<int32_t>(number[v])});
  return parts;
}

Part ordered_part(const SimpleGraph& graph, const std::vector<int64_t>& nodes) {
  const CanonicalForm form = by_search(graph);
  Part part{{}, relabel(graph, form.order), {}, form.log_group_order};
  std::vector<int64_t> first(nodes.size(), -1);
  for (size_t p = 0; p < nodes.size(); ++p) {
    const int64_t node = form.order[p];
    int64_t& place = first[form.orbits[node]];
    if (place < 0) place = static_cast<int64_t>(p);
    part.orbit.push_back(place);
    part.nodes.push_back(nodes[node]);
  }
  return part;
}

/// The parts of a graph in order of their forms: equal ones can change places.
CanonicalForm by_parts(const SimpleGraph& graph) {
  const std::vector<int64_t> part_of = components(graph);
  std::vector<std::vector<int64_t>> members(1 + *std::max_element(part_of.begin(), part_of.end()));
  if (members.size() == 1) return by_search(graph);
  std::vector<int64_t> number(part_of.size());  // within the part
  for (int64_t u = 0; u < graph.nodes; ++u) {
    number[u] = static_cast<int64_t>(members[part_of[u]].size());
    members[part_of[u]].push_back(u);
  }
  const std::vector<SimpleGraph> graphs = parts_of(graph, part_of, number);
  std::vector<Part> parts;
  parts.reserve(graphs.size());
  for (size_t k = 0; k < graphs.size(); ++k) parts.push_back(ordered_part(graphs[k], members[k]));
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.key() < b.key(); });
  CanonicalForm result{{}, std::vector<int64_t>(part_of.size()), 0};
  for (size_t start = 0, end = 0; start < parts.size(); start = end) {
    std::vector<int64_t> smallest(parts[start].nodes.size(), graph.nodes);
    for (end = start; end < parts.size() && parts[end].key() == parts[start].key(); ++end) {
      result.order.insert(result.order.end(), parts[end].nodes.begin(), parts[end].nodes.end());
      result.log_group_order += parts[end].log_group_order;
      for (size_t p = 0; p < smallest.size(); ++p) {
        int64_t& least = smallest[parts[end].orbit[p]];
        least = std::min(least, parts[end].nodes[p]);
      }
    }
    result.log_group_order += std::lgamma(static_cast<double>(end - start) + 1);
    for (size_t k = start; k < end; ++k)
      for (size_t p = 0; p < smallest.size(); ++p)
        result.orbits[parts[k].nodes[p]] = smallest[parts[k].orbit[p]];
  }
  return result;
}

/// What is left when twins, chains and leaves are put together, again and again: trees end as one
/// node, copies of a small graph as a few. After the first `rounds` of them one must be worth it.
CanonicalForm by_groups(const SimpleGraph& graph, int rounds) {
  constexpr std::array kKinds{joined_twins, apart_twins, chains, with_leaves};
  constexpr int64_t kWorthIt = 16;  // one node of so many is gone
  for (const auto& kind : kKinds) {
    const NodeGroups groups = kind(graph);
    const int64_t gone = graph.nodes - groups.count();
    if (gone == 0) continue;
    if (rounds == 0 && gone < graph.nodes / kWorthIt) break;
    return form_from_groups(groups,
                            by_groups(graph_of_groups(graph, groups), std::max(0, rounds - 1)));
  }
  return by_parts(graph);
}

}  // namespace

CanonicalForm canonical_form(const SimpleGraph& from) {
  constexpr int64_t kSmall = 128;  // nodes, of which nauty may see all: quick, whatever they are
  constexpr int kRounds = 8;
  if (from.nodes == 0) return {};
  if (from.nodes <= kSmall) return by_search(from);
  CanonicalForm form = by_groups(from, kRounds);
  if (!from.types.empty())
    std::stable_sort(form.order.begin(), form.order.end(),
                     [&](int64_t a, int64_t b) { return from.types[a] < from.types[b]; });
  return form;
}

SimpleGraph canonical_graph(const SimpleGraph& from) {
  return relabel(from, canonical_form(from).order);
}

std::string CanonicalForm::group_order() const {
  constexpr double kWholeNumbers = 15 * 2.302585092994046;  // log 10^15
  if (log_group_order < kWholeNumbers) return text::printed("%.0f", std::exp(log_group_order));
  const double power = log_group_order / std::log(10.0), whole = std::floor(power);
  return text::printed("%.6g", std::pow(10, power - whole)) + text::printed("e%.0f", whole);
}

}  // namespace equiframe::inline frames
