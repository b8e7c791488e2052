#include "io/graphs/listed_edges.h"

#include <algorithm>

#include <c10/util/StringUtil.h>

namespace equiframe::inline io {

void ListedEdges::add(const NumberLines& lines, int64_t from, int64_t to) {
  if (from == to) lines.fail(c10::str("node ", from, " has an edge to itself; remove it"));
  const auto [low, high] = std::minmax(from, to);
  const SimpleGraph::Edge edge{static_cast<int32_t>(low - first_),
                               static_cast<int32_t>(high - first_)};
  rows_.push_back({edge, from > to, lines.number()});
}

std::vector<SimpleGraph::Edge> ListedEdges::sorted(const NumberLines& lines) {
  std::sort(rows_.begin(), rows_.end());
  std::vector<SimpleGraph::Edge> edges;
  edges.reserve(rows_.size());
  const Row* last = nullptr;
  for (const Row& row : rows_) {
    const bool again = last != nullptr && last->edge == row.edge;
    if (again && last->reversed == row.reversed) {
      const auto [low, high] = row.edge;
      lines.fail(row.line, c10::str("the edge from ", first_ + (row.reversed ? high : low), " to ",
                                    first_ + (row.reversed ? low : high), " is also in line ",
                                    last->line, "; keep one"));
    }
    if (!again) edges.push_back(row.edge);
    last = &row;
  }
  return edges;
}

}  // namespace equiframe::inline io
