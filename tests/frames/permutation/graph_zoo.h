#pragma once

#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "equiframe/core/batch.h"
#include "equiframe/core/rng.h"

/// Graphs that the tests of the permutation frames share.
namespace equiframe::zoo {

using Edges = std::vector<std::pair<int64_t, int64_t>>;

/// Adjacency matrix [n, n], float64.
inline Tensor graph(int64_t n, const Edges& edges) {
  const Tensor a = torch::zeros({n, n}, torch::kFloat64);
  for (const auto& [i, j] : edges) a[i][j] = a[j][i] = 1;
  return a;
}

inline Tensor cycle(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i < n; ++i) edges.emplace_back(i, (i + 1) % n);
  return graph(n, edges);
}

inline Tensor path(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  return graph(n, edges);
}

inline Tensor complete(int64_t n) {
  return torch::ones({n, n}, torch::kFloat64) - torch::eye(n, torch::kFloat64);
}

/// Node 0 joined to all others.
inline Tensor star(int64_t n) {
  Edges edges;
  for (int64_t i = 1; i < n; ++i) edges.emplace_back(0, i);
  return graph(n, edges);
}

inline Tensor petersen() {
  Edges edges;
  for (int64_t i = 0; i < 5; ++i) {
    edges.emplace_back(i, (i + 1) % 5);
    edges.emplace_back(i, i + 5);
    edges.emplace_back(5 + i, 5 + (i + 2) % 5);
  }
  return graph(10, edges);
}

inline Tensor cube() {
  Edges edges;
  for (int64_t i = 0; i < 8; ++i)
    for (const int64_t bit : {1, 2, 4})
      if ((i & bit) == 0) edges.emplace_back(i, i | bit);
  return graph(8, edges);
}

/// A cubic graph without symmetry.
inline Tensor frucht() {
  return graph(12, {{0, 1},
                    {1, 2},
                    {2, 3},
                    {3, 4},
                    {4, 5},
                    {5, 6},
                    {6, 0},
                    {0, 7},
                    {1, 7},
                    {2, 8},
                    {3, 9},
                    {4, 9},
                    {5, 10},
                    {6, 10},
                    {7, 11},
                    {8, 11},
                    {8, 9},
                    {10, 11}});
}

inline Tensor two_triangles() {
  return graph(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
}

inline Tensor random_graph(int64_t n, double density, uint64_t seed) {
  auto generator = make_generator(seed);
  const Tensor upper =
      (torch::rand({n, n}, generator, torch::kFloat64) < density).to(torch::kFloat64).triu(1);
  return upper + upper.t();
}

struct Specimen {
  std::string name;
  Tensor adjacency;
  double automorphisms;
  int64_t distinct_eigenvalues;
};

inline std::vector<Specimen> specimens() {
  return {{"single node", graph(1, {}), 1, 1},
          {"edge", complete(2), 2, 2},
          {"empty", graph(4, {}), 24, 1},
          {"path", path(5), 2, 5},
          {"cycle", cycle(7), 14, 4},
          {"even cycle", cycle(6), 12, 4},
          {"complete", complete(6), 720, 2},
          {"star", star(6), 120, 3},
          {"petersen", petersen(), 120, 3},
          {"cube", cube(), 48, 4},
          {"two triangles", two_triangles(), 72, 2},
          {"frucht", frucht(), 1, 12},
          {"triangle and isolated node", graph(4, {{0, 1}, {1, 2}, {2, 0}}), 6, 2}};
}

/// One graph as a batch whose x is the adjacency itself, for frames told in = pair.
inline Batch pair_batch(const Tensor& adjacency) {
  return Batch(adjacency.view({1, adjacency.size(0), adjacency.size(0), 1}));
}

}  // namespace equiframe::zoo
