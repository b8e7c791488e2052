#include "io/graphs/graph_edges.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "io/bytes/number_lines.h"
#include "io/graphs/graph_readers.h"
#include "io/graphs/listed_edges.h"

namespace equiframe::inline io {
namespace {

enum Column { kSource, kTarget, kGraph, kLabel, kColumns };

struct Header {
  std::array<int, kColumns> place{-1, -1, -1, -1};  // of each column in a row; -1: not there
  size_t width = 0;
  std::string row;  // what a row should be, for errors
};

Header read_header(NumberLines& lines) {
  const std::vector<std::string> known{"source", "target", "graph", "label"};
  constexpr std::string_view kExpected = "a header with the columns source,target";
  const std::string_view line = lines.next_text(kExpected);
  if (line.find_first_not_of("+-.,0123456789 \t") == std::string_view::npos)
    lines.fail(c10::str("'", excerpt(line), "' is no header; expected ", kExpected));
  const std::vector<std::string> names = text::split(line, ',');
  Header header;
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) lines.fail(text::unknown_name("column", excerpt(name), known));
    int& place = header.place[at - known.begin()];
    if (place >= 0) lines.fail(c10::str("column '", name, "' is there twice; remove one"));
    place = static_cast<int>(header.width++);
  }
  for (const Column column : {kSource, kTarget})
    if (header.place[column] < 0)
      lines.fail(c10::str("no column '", known[column], "'; expected ", kExpected));
  header.row = c10::str("'", text::join(names, ","), "'");
  return header;
}

struct ListedGraph {
  SimpleGraph graph;
  ListedEdges edges;
};

/// The graphs of a file while it is read.
class EdgeTable {
 public:
  explicit EdgeTable(SourceText source)
      : lines_(std::move(source), NumberLines::Separator::kComma), header_(read_header(lines_)) {}

  std::vector<SimpleGraph> read() {
    do {
      read_row();
    } while (!lines_.at_end());
    std::vector<SimpleGraph> graphs;
    graphs.reserve(listed_.size());
    for (ListedGraph& listed : listed_) {
      listed.graph.edges = listed.edges.sorted(lines_);
      graphs.push_back(std::move(listed.graph));
    }
    return graphs;
  }

 private:
  void read_row() {
    const std::vector<int64_t>& row = lines_.next(header_.row);
    if (row.size() != header_.width)
      lines_.fail(
          c10::str("expected ", header_.width, " fields, ", header_.row, ", found ", row.size()));
    const auto field = [&](Column column) {
      return header_.place[column] < 0 ? 0 : row[header_.place[column]];
    };
    const int64_t source = field(kSource), target = field(kTarget), label = field(kLabel);
    for (const int64_t node : {source, target})
      if (node < 0 || node >= kMaxNodes)
        lines_.fail(c10::str("node ", node, "; expected 0 to ", kMaxNodes - 1));
    const auto [at, is_new] = place_.try_emplace(field(kGraph), listed_.size());
    if (is_new) listed_.emplace_back().graph.label = label;
    auto& [graph, edges] = listed_[at->second];
    if (graph.label != label)
      lines_.fail(c10::str("label ", label, ", but the graph has label ", graph.label, " in line ",
                           edges.first_line(), "; expected the same in all its rows"));
    edges.add(lines_, source, target);
    graph.nodes = std::max({graph.nodes, source + 1, target + 1});
  }

  NumberLines lines_;
  Header header_;
  std::vector<ListedGraph> listed_;
  std::unordered_map<int64_t, size_t> place_;  // in listed_, by the number of the graph
};

}  // namespace

std::vector<SimpleGraph> parse_edge_csv(SourceText source) {
  return EdgeTable(std::move(source)).read();
}

std::vector<SimpleGraph> read_edge_csv(const std::filesystem::path& path) {
  return parse_edge_csv(read_source(path));
}

}  // namespace equiframe::inline io
