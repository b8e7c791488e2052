#include "equiframe/frames/canonical_form.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include <nausparse.h>

#include "equiframe/core/plain_text.h"

namespace equiframe {
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

}  // namespace

CanonicalForm canonical_form(const SimpleGraph& from) {
  if (from.nodes == 0) return {};
  SparseGraph sparse(from);
  Colouring colours(from);
  DEFAULTOPTIONS_SPARSEGRAPH(options);
  options.getcanon = TRUE;
  options.defaultptn = FALSE;
  statsblk stats;
  std::vector<int> orbits(static_cast<size_t>(from.nodes));
  SG_DECL(canonical);
  {
#if !HAVE_TLS
    static std::mutex one_at_a_time;  // this nauty keeps its work space in globals
    const std::lock_guard lock(one_at_a_time);
#endif
    sparsenauty(&sparse.lists, colours.nodes.data(), colours.same.data(), orbits.data(), &options,
                &stats, &canonical);
  }
  SG_FREE(canonical);
  if (stats.errstatus != 0) throw std::runtime_error("nauty refused a graph");
  return {{colours.nodes.begin(), colours.nodes.end()},
          {orbits.begin(), orbits.end()},
          std::log(stats.grpsize1) + stats.grpsize2 * std::log(10.0)};
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

}  // namespace equiframe
