#include "geometry/search/neighbor_edges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/ATen.h>

#include "core/parallel.h"

namespace equiframe::inline geometry {
namespace {

constexpr int64_t kEdgesTogether = 4096;  // rows of a part
constexpr uint16_t kNoEdge = std::numeric_limits<uint16_t>::max();
constexpr int kSteps = kNoEdge / 2;

double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

bool lists(const NeighborGraph& graph, int32_t i, int32_t j) {
  const int32_t* row = graph.neighbors.data() + i * graph.columns;
  return std::find(row, row + graph.columns, j) != row + graph.columns;
}

/// s of orient_normals.
double agreement(const OrientedCloud& cloud, int32_t i, int32_t j) {
  const double *m = cloud.normals + int64_t{3} * i, *n = cloud.normals + int64_t{3} * j;
  const double *p = cloud.x + int64_t{3} * i, *q = cloud.x + int64_t{3} * j;
  const double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
  const double squared = dot(e, e);
  return squared > 0 ? dot(m, n) - dot(m, e) * dot(n, e) / squared : dot(m, n);
}

/// Twice the weight in steps that are finest near zero, where most weights are (the square root is
/// about the angle between the normals), and one more for a negative sign.
uint16_t level_of(double agreement) {
  const double weight = std::clamp(1 - std::abs(agreement), 0.0, 1.0);
  const auto step = static_cast<int>(std::sqrt(weight) * (kSteps - 1));
  return static_cast<uint16_t>(2 * step + (agreement < 0 ? 1 : 0));
}

/// For each neighbour in the graph; kNoEdge where the edge is the neighbour's already.
std::vector<uint16_t> levels_of(const NeighborGraph& graph, const OrientedCloud& cloud) {
  std::vector<uint16_t> levels(graph.neighbors.size());
  for_each_item(cloud.count, kEdgesTogether, [&](int64_t row) {
    const auto i = static_cast<int32_t>(row);
    for (int64_t c = row * graph.columns; c < (row + 1) * graph.columns; ++c) {
      const int32_t j = graph.neighbors[static_cast<size_t>(c)];
      const bool twice = j < i && lists(graph, j, i);
      levels[static_cast<size_t>(c)] = twice ? kNoEdge : level_of(agreement(cloud, i, j));
    }
  });
  return levels;
}

}  // namespace

NeighborGraph neighbor_graph(const NeighborSearch& search, int64_t k) {
  const int64_t count = search.size(), columns = std::min(k, count - 1);
  NeighborGraph graph{columns, at::empty({count}, at::kLong),
                      std::vector<int32_t>(static_cast<size_t>(count * columns)),
                      std::vector<double>(static_cast<size_t>(count))};
  auto* points = graph.points.data_ptr<int64_t>();
  std::vector<int32_t> row_of(static_cast<size_t>(count));
  search.for_each_block(columns + 1, NeighborOrder::kAny, [&](const NeighborBlock& block) {
    for (int64_t i = 0; i < block.count; ++i) {
      const int64_t row = block.first + i, from = i * block.k;
      points[row] = block.points[i];
      row_of[static_cast<size_t>(block.points[i])] = static_cast<int32_t>(row);
      std::copy_n(block.neighbors + from + 1, columns, graph.neighbors.data() + row * columns);
      graph.reach[static_cast<size_t>(row)] =
          *std::max_element(block.squared + from, block.squared + from + block.k);
    }
  });
  for_each_item(count, kEdgesTogether, [&](int64_t row) {
    for (int64_t c = row * columns; c < (row + 1) * columns; ++c) {
      int32_t& neighbor = graph.neighbors[static_cast<size_t>(c)];
      neighbor = row_of[static_cast<size_t>(neighbor)];
    }
  });
  return graph;
}

void for_each_edge_by_weight(const NeighborGraph& graph, const OrientedCloud& cloud,
                             const std::function<void(int32_t, int32_t, int)>& visit) {
  const std::vector<uint16_t> levels = levels_of(graph, cloud);
  std::vector<int64_t> end(size_t{kNoEdge} + 1);  // of the edges of each level; first their start
  for (const uint16_t level : levels)
    if (level != kNoEdge) ++end[size_t{level} + 1];
  for (size_t level = 1; level < end.size(); ++level) end[level] += end[level - 1];
  std::vector<std::pair<int32_t, int32_t>> edges(static_cast<size_t>(end.back()));
  for (size_t c = 0; c < levels.size(); ++c) {
    if (levels[c] == kNoEdge) continue;
    const auto row = static_cast<int32_t>(static_cast<int64_t>(c) / graph.columns);
    edges[static_cast<size_t>(end[levels[c]]++)] = {row, graph.neighbors[c]};
  }
  size_t next = 0;
  for (size_t level = 0; level < kNoEdge; ++level)
    for (; next < static_cast<size_t>(end[level]); ++next)
      visit(edges[next].first, edges[next].second, level % 2 == 0 ? 1 : -1);
}

}  // namespace equiframe::inline geometry
