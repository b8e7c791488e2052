// The edges of one graph as files list them: each once, or once in each direction.
#pragma once

#include <cstdint>
#include <vector>

#include "core/simple_graph.h"
#include "io/bytes/number_lines.h"

namespace equiframe::inline io {

class ListedEdges {
 public:
  /// `first` is the number that the file gives to node 0.
  explicit ListedEdges(int64_t first = 0) : first_(first) {}

  /// The edge in the line last read, its ends as the file numbers them; throws UserError for a
  /// loop.
  void add(const NumberLines& lines, int64_t from, int64_t to);

  /// Ascending; throws UserError for an edge that is listed twice in the same direction.
  std::vector<SimpleGraph::Edge> sorted(const NumberLines& lines);

  /// Where the first edge was.
  int64_t first_line() const { return rows_.front().line; }

 private:
  struct Row {
    SimpleGraph::Edge edge;
    bool reversed;
    int64_t line;

    auto operator<=>(const Row&) const = default;
  };

  int64_t first_;
  std::vector<Row> rows_;
};

}  // namespace equiframe::inline io
