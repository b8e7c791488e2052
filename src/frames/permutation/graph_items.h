#pragma once

#include <algorithm>
#include <cstdint>

#include "core/parallel.h"

namespace equiframe::inline frames {

/// f(b) for each item b of a batch of graphs of `nodes` nodes, several threads at a time where the
/// work is worth a thread. f must write to places of its own item only.
template <class F>
void for_each_graph(int64_t count, int64_t nodes, F&& f) {
  constexpr int64_t kWorthAThread = 1 << 20;  // operations, at about n^3 an item
  const int64_t grain = std::max<int64_t>(1, kWorthAThread / (nodes * nodes * nodes + 64));
  for_each_item(count, grain, f);
}

}  // namespace equiframe::inline frames
