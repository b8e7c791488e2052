#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "equiframe/core/rng.h"
#include "equiframe/datasets/dataset.h"

namespace equiframe::inline datasets {

/// One example of items that give several rows each, not always as many: f(item, generator) ->
/// Example, the generator from the item and `stream` alone. `Batch::id` says which item a row is
/// of.
template <class F>
Example collect_rows(const Tensor& items, const Rng& rng, uint64_t stream, F&& f) {
  const auto item = items.accessor<int64_t, 1>();
  std::vector<Example> parts(static_cast<size_t>(item.size(0)));
  for_each_part(item.size(0), [&](int64_t b) {
    auto generator = make_generator(rng.bits(static_cast<uint64_t>(item[b]), stream));
    parts[static_cast<size_t>(b)] = f(item[b], generator);
  });
  std::vector<Tensor> inputs, targets, names;
  for (size_t b = 0; b < parts.size(); ++b) {
    inputs.push_back(parts[b].input.x);
    targets.push_back(parts[b].target);
    names.push_back(at::full({parts[b].input.size()}, item[static_cast<int64_t>(b)], at::kLong));
  }
  Batch input(at::cat(inputs));
  input.id = at::cat(names);
  return {input, at::cat(targets)};
}

}  // namespace equiframe::inline datasets
