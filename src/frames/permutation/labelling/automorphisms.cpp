#include "frames/permutation/labelling/automorphisms.h"

#include <cmath>
#include <numeric>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "frames/permutation/labelling/graph_group.h"
#include "frames/permutation/labelling/graph_labelling.h"

namespace equiframe::inline frames {
namespace {

/// `rows`, each [n], as a tensor [m, n].
Tensor stack_rows(const std::vector<Permutation>& rows, int64_t n) {
  const Tensor result = torch::empty({static_cast<int64_t>(rows.size()), n}, torch::kInt64);
  auto* out = result.data_ptr<int64_t>();
  for (const Permutation& row : rows) out = std::copy(row.begin(), row.end(), out);
  return result;
}

}  // namespace

Automorphisms automorphisms(const Batch& graph, int64_t item, const PermutationType& in) {
  const Batch single = graph.map([&](const Tensor& part) { return part.narrow(0, item, 1); });
  const Tensor& pairs = single.pair.defined() ? single.pair : single.x;
  const int64_t slots = pairs.size(1);
  const Graph real = GraphBatch(single, in, slots, "automorphisms").item(0);
  Cells colours = one_cell(real.nodes);
  split_by_key(colours, node_classes(real));
  const Labelling labelling = canonical_labelling(pair_classes(real), colours);

  std::vector<Permutation> generators;
  for (const Permutation& symmetry : labelling.generators) {
    Permutation moved(static_cast<size_t>(slots));
    std::iota(moved.begin(), moved.end(), int64_t{0});
    for (int64_t i = 0; i < real.nodes; ++i) moved[real.slots[i]] = real.slots[symmetry[i]];
    generators.push_back(std::move(moved));
  }
  return {stack_rows(generators, slots), labelling.log_group_order,
          torch::tensor(node_orbits(generators, slots), torch::kInt64)};
}

Tensor Automorphisms::elements(int64_t limit) const {
  const int64_t n = node_orbits.size(0);
  std::vector<Permutation> rows;
  const Tensor source = generators.contiguous();
  for (int64_t k = 0; k < source.size(0); ++k) {
    const auto* row = source.data_ptr<int64_t>() + k * n;
    rows.emplace_back(row, row + n);
  }
  const bool fits = log_order < std::log(static_cast<double>(limit) + 0.5);
  const auto group = fits ? generated_group(rows, n, limit) : std::vector<Permutation>{};
  if (group.empty())
    throw UserError(c10::str("the graph has about ", std::exp(log_order),
                             " automorphisms, more than the limit of ", limit,
                             "; work with the generators or the orbits"));
  return stack_rows(group, n);
}

}  // namespace equiframe::inline frames
