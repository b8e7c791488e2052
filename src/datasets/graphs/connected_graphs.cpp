#include <algorithm>
#include <map>
#include <string>

#include <c10/util/StringUtil.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "frames/permutation/labelling/canonical_form.h"
#include "io/graphs/graph6.h"

namespace equiframe::inline datasets {

/// Every connected graph has a node whose removal leaves it connected, so each one of n nodes is
/// one of n - 1 nodes with a node joined to some of them.
std::vector<SimpleGraph> connected_graphs(int64_t nodes) {
  constexpr int64_t kMax = 9;
  if (nodes < 1 || nodes > kMax)
    throw UserError(c10::str("connected graphs of ", nodes, " nodes: from 1 to ", kMax,
                             " are listed; there are too many of more"));
  std::vector<SimpleGraph> graphs{{1, {}, {}, 0}};
  for (int32_t n = 1; n < nodes; ++n) {
    std::map<std::string, SimpleGraph> larger;
    for (const SimpleGraph& graph : graphs) {
      for (uint32_t joined = 1; joined < 1U << static_cast<uint32_t>(n); ++joined) {
        SimpleGraph candidate = graph;
        candidate.nodes = n + 1;
        for (int32_t u = 0; u < n; ++u)
          if ((joined >> static_cast<uint32_t>(u) & 1U) != 0) candidate.edges.push_back({u, n});
        std::sort(candidate.edges.begin(), candidate.edges.end());
        SimpleGraph form = canonical_graph(candidate);
        larger.try_emplace(to_graph6(form), std::move(form));
      }
    }
    graphs.clear();
    for (auto& [line, graph] : larger) graphs.push_back(std::move(graph));
  }
  return graphs;
}

}  // namespace equiframe::inline datasets
