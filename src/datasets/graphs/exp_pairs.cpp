#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <c10/util/StringUtil.h>

#include "datasets/graphs/cnf_formula.h"
#include "datasets/graphs/graph_sets.h"
#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "frames/permutation/labelling/weisfeiler_leman.h"

namespace equiframe::inline datasets {
namespace {

SimpleGraph shuffled(const SimpleGraph& graph, const Draw& draw) {
  std::vector<int64_t> order(static_cast<size_t>(graph.nodes));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (int64_t p = graph.nodes - 1; p > 0; --p) std::swap(order[p], order[draw(p + 1)]);
  return relabel(graph, order);
}

/// What a pair of the set must be; a fault here is one of the construction.
void check_pair(const SimpleGraph& yes, const SimpleGraph& no) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(c10::str("a pair of EXP is not as it must be: ", what));
  };
  require(yes.nodes == no.nodes && yes.edges.size() == no.edges.size(), "size");
  require(satisfiable(yes) && !satisfiable(no), "labels");
  require(equal_for_1wl(yes, no), "1-WL");
  require(!equal_for_2fwl(yes, no), "2-FWL");
}

}  // namespace

std::vector<SimpleGraph> exp_like_pairs(const ExpOptions& options,
                                        const std::function<void(int64_t)>& progress) {
  if (options.pairs < 1) throw UserError("EXP: at least one pair is needed");
  for (const int64_t base : {options.small_base, options.large_base})
    if (base < 4 || base > 24)
      throw UserError(c10::str("EXP: a base of ", base, " nodes; use 4 to 24"));
  std::vector<SimpleGraph> graphs;
  const int64_t large_from = options.pairs - options.pairs / 6;
  for (int64_t pair = 0; pair < options.pairs; ++pair) {
    const Rng rng{options.seed, 0};
    const Draw draw = [&, count = uint64_t{0}](int64_t bound) mutable {
      return static_cast<int64_t>(
          rng.below(static_cast<uint64_t>(bound), static_cast<uint64_t>(pair), count++));
    };
    const Formula base =
        planar_formula(pair < large_from ? options.small_base : options.large_base, draw);
    const int64_t h = 2 + draw(3);
    SimpleGraph yes = graph_of(base, Core::kSatisfiable, h);
    SimpleGraph no = graph_of(base, Core::kUnsatisfiable, h);
    if (options.shuffle) yes = shuffled(yes, draw), no = shuffled(no, draw);
    check_pair(yes, no);
    graphs.push_back(std::move(yes));
    graphs.push_back(std::move(no));
    if (progress) progress(pair + 1);
  }
  return graphs;
}

}  // namespace equiframe::inline datasets
