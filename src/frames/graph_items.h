#pragma once

#include <algorithm>
#include <cstdint>

#include <ATen/Parallel.h>

namespace equiframe {

/// f(b) for each item b of a batch of graphs of `nodes` nodes, several threads at a time where the
/// work is worth a thread. f must write to places of its own item only.
template <class F>
void for_each_graph(int64_t count, int64_t nodes, F&& f) {
  constexpr int64_t kWorthAThread = 1 << 20;  // operations, at about n^3 an item
  const int64_t grain = std::max<int64_t>(1, kWorthAThread / (nodes * nodes * nodes + 64));
  at::parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) f(b);
  });
}

}  // namespace equiframe
