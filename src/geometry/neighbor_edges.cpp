#include "neighbor_edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "equiframe/core/parallel.h"

namespace equiframe {
namespace {

constexpr int64_t kTogether = 4096;  // points of a part
constexpr uint16_t kNoEdge = std::numeric_limits<uint16_t>::max();

double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool lists(const NeighborGraph& graph, int32_t i, int32_t j) {
  const int32_t* row = graph.neighbors.data() + i * graph.columns;
  return std::find(row, row + graph.columns, j) != row + graph.columns;
}

/// The weight in steps that are finest near zero, where most weights are: the square root is about
/// the angle between the normals.
uint16_t level_of(double agreement) {
  const double weight = std::clamp(1 - std::abs(agreement), 0.0, 1.0);
  return static_cast<uint16_t>(std::sqrt(weight) * (kNoEdge - 1));
}

}  // namespace

double OrientedCloud::agreement(int32_t i, int32_t j) const {
  const double *m = normals + int64_t{3} * i, *n = normals + int64_t{3} * j;
  const double *p = x + int64_t{3} * i, *q = x + int64_t{3} * j;
  const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
  const double squared = dot(e, e);
  return squared > 0 ? dot(m, n) - dot(m, e) * dot(n, e) / squared : dot(m, n);
}

NeighborGraph neighbor_graph(const NeighborSearch& search, int64_t k) {
  const int64_t columns = std::min(k, search.size() - 1);
  NeighborGraph graph{columns, std::vector<int32_t>(static_cast<size_t>(search.size() * columns)),
                      std::vector<double>(static_cast<size_t>(search.size()))};
  search.for_each_block(columns + 1, NeighborOrder::kByDistance, [&](const NeighborBlock& block) {
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t point = block.points[i], row = i * block.k;
      std::copy_n(block.neighbors + row + 1, columns, graph.neighbors.data() + point * columns);
      graph.reach[static_cast<size_t>(point)] = block.squared[row + columns];
    }
  });
  return graph;
}

std::vector<int64_t> edges_by_weight(const NeighborGraph& graph, const OrientedCloud& cloud) {
  const int64_t columns = graph.columns;
  std::vector<uint16_t> levels(graph.neighbors.size());
  for_each_item(cloud.count, kTogether, [&](int64_t point) {
    const auto i = static_cast<int32_t>(point);
    for (int64_t c = point * columns; c < (point + 1) * columns; ++c) {
      const int32_t j = graph.neighbors[static_cast<size_t>(c)];
      const bool twice = j < i && lists(graph, j, i);
      levels[static_cast<size_t>(c)] = twice ? kNoEdge : level_of(cloud.agreement(i, j));
    }
  });
  std::vector<int64_t> first(size_t{kNoEdge} + 1);  // position of the first edge of each level
  for (const uint16_t level : levels)
    if (level != kNoEdge) ++first[size_t{level} + 1];
  for (size_t level = 1; level < first.size(); ++level) first[level] += first[level - 1];
  std::vector<int64_t> order(static_cast<size_t>(first.back()));
  for (size_t c = 0; c < levels.size(); ++c)
    if (levels[c] != kNoEdge)
      order[static_cast<size_t>(first[levels[c]]++)] = static_cast<int64_t>(c);
  return order;
}

}  // namespace equiframe
