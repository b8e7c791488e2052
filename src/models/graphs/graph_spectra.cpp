#include "models/graphs/graph_spectra.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "core/parallel.h"

namespace equiframe::inline models {
namespace {

DenseGraph dense_graph(const double* a, const bool* real, int64_t slots) {
  DenseGraph graph;
  for (int64_t u = 0; u < slots; ++u)
    if (real == nullptr || real[u]) graph.slots.push_back(u);
  const int64_t n = graph.nodes();
  graph.adjacency.resize(static_cast<size_t>(n * n));
  graph.laplacian.assign(graph.adjacency.size(), 0);
  std::vector<double> scale;
  for (int64_t i = 0; i < n; ++i) {
    double degree = 0;
    for (int64_t j = 0; j < n; ++j)
      degree += graph.adjacency[i * n + j] = a[graph.slots[i] * slots + graph.slots[j]];
    scale.push_back(degree > 0 ? 1 / std::sqrt(degree) : 0);
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      graph.laplacian[i * n + j] =
          (i == j ? 1 : 0) - scale[i] * graph.adjacency[i * n + j] * scale[j];
  return graph;
}

}  // namespace

Batch add_pair_channels(
    const Batch& batch, int64_t count,
    const std::function<void(const DenseGraph& graph, std::vector<double>& channels)>& f) {
  const int64_t items = batch.size(), slots = batch.nodes();
  const Tensor a = batch.pair.select(-1, 0).to(torch::kFloat64).contiguous();
  const Tensor mask = batch.mask.defined() ? batch.mask.contiguous() : Tensor();
  const Tensor all = torch::zeros({items, slots, slots, 1 + count}, torch::kFloat64);
  all.select(-1, 0).copy_(a);
  for_each_item(items, /*together=*/64, [&](int64_t b) {
    const DenseGraph graph =
        dense_graph(a.data_ptr<double>() + b * slots * slots,
                    mask.defined() ? mask.data_ptr<bool>() + b * slots : nullptr, slots);
    const int64_t n = graph.nodes();
    std::vector<double> channels(static_cast<size_t>(count * n * n), 0.0);
    f(graph, channels);
    double* to = all.data_ptr<double>() + b * slots * slots * (1 + count);
    for (int64_t c = 0; c < count; ++c)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          to[(graph.slots[i] * slots + graph.slots[j]) * (1 + count) + 1 + c] =
              channels[(c * n + i) * n + j];
  });
  Batch result = batch;
  result.pair = all.to(batch.pair.dtype());
  return result;
}

}  // namespace equiframe::inline models
