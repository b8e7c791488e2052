#include <cmath>
#include <utility>

#include <torch/types.h>

#include "equiframe/laws/zoo.h"

namespace equiframe::inline laws {
namespace {

using Edges = std::vector<std::pair<int64_t, int64_t>>;

Tensor adjacency(int64_t n, const Edges& edges) {
  const Tensor a = torch::zeros({n, n}, torch::kFloat64);
  for (const auto& [i, j] : edges) {
    a[i][j] = 1;
    a[j][i] = 1;
  }
  return a;
}

Tensor cycle(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i < n; ++i) edges.emplace_back(i, (i + 1) % n);
  return adjacency(n, edges);
}

Tensor path(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  return adjacency(n, edges);
}

Tensor star(int64_t n) {
  Edges edges;
  for (int64_t i = 1; i < n; ++i) edges.emplace_back(0, i);
  return adjacency(n, edges);
}

Tensor complete(int64_t n) {
  return torch::ones({n, n}, torch::kFloat64) - torch::eye(n, torch::kFloat64);
}

Tensor petersen() {
  Edges edges;
  for (int64_t i = 0; i < 5; ++i) {
    edges.emplace_back(i, (i + 1) % 5);
    edges.emplace_back(i, i + 5);
    edges.emplace_back(5 + i, 5 + (i + 2) % 5);
  }
  return adjacency(10, edges);
}

Tensor cube_graph() {
  Edges edges;
  for (int64_t i = 0; i < 8; ++i) {
    for (int64_t bit = 1; bit < 8; bit *= 2) edges.emplace_back(i, i ^ bit);
  }
  return adjacency(8, edges);
}

Tensor random_graph(int64_t n, double density, at::Generator& generator) {
  const Tensor upper =
      (torch::rand({n, n}, generator, torch::kFloat64) < density).to(torch::kFloat64).triu(1);
  return upper + upper.t();
}

}  // namespace

std::vector<NamedGraph> graphs(at::Generator& generator) {
  return {{"path", path(6), 2},
          {"cycle", cycle(6), 12},
          {"complete", complete(5), 120},
          {"star", star(5), 24},
          {"petersen", petersen(), 120},
          {"cube", cube_graph(), 48},
          {"two triangles", torch::block_diag({cycle(3), cycle(3)}), 72},
          {"empty", torch::zeros({4, 4}, torch::kFloat64), 24},
          {"random", random_graph(9, 0.4, generator), 0},
          {"random 12", random_graph(12, 0.3, generator), 0}};
}

Batch as_batch(const NamedGraph& graph) {
  Batch batch(torch::ones({1, graph.adjacency.size(0), 1}, torch::kFloat64));
  batch.pair = graph.adjacency.unsqueeze(0).unsqueeze(-1);
  return batch;
}

}  // namespace equiframe::inline laws
