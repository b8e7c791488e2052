#include "io/graphs/graph_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/plain_text.h"
#include "io/bytes/atomic_file.h"
#include "io/bytes/number_lines.h"
#include "io/graphs/graph_readers.h"

namespace equiframe::inline io {
namespace {

/// The line `type degree neighbour ...` of node u; ends of edges are checked later, in pairs.
void read_node(NumberLines& lines, int64_t u, SimpleGraph& graph,
               std::vector<std::array<int64_t, 2>>& ends) {
  const std::string expected = c10::str("'type degree neighbours' of node ", u);
  const auto& numbers = lines.next(expected);
  if (numbers.size() < 2) lines.fail("expected " + expected);
  const int64_t degree = numbers[1], given = static_cast<int64_t>(numbers.size()) - 2;
  if (degree != given)
    lines.fail(c10::str("node ", u, " announces ", degree, " neighbours and lists ", given));
  graph.types.push_back(numbers[0]);
  for (int64_t k = 2; k < given + 2; ++k) {
    const int64_t v = numbers[k];
    if (v < 0 || v >= graph.nodes)
      lines.fail(
          c10::str("neighbour ", v, " of node ", u, " is not among nodes 0 to ", graph.nodes - 1));
    if (v == u) lines.fail(c10::str("node ", u, " is its own neighbour; remove the loop"));
    ends.push_back({u, v});
  }
}

SimpleGraph read_graph(NumberLines& lines, int64_t index) {
  const auto& header = lines.next(c10::str("'nodes label' of graph ", index));
  if (header.size() != 2) lines.fail(c10::str("expected 'nodes label' of graph ", index));
  SimpleGraph graph;
  graph.nodes = header[0];
  graph.label = header[1];
  if (graph.nodes < 1 || graph.nodes > kMaxNodes)
    lines.fail(
        c10::str("graph ", index, " has ", graph.nodes, " nodes; expected 1 to ", kMaxNodes));
  std::vector<std::array<int64_t, 2>> ends;
  for (int64_t u = 0; u < graph.nodes; ++u) read_node(lines, u, graph, ends);
  std::sort(ends.begin(), ends.end());
  const auto twice = std::adjacent_find(ends.begin(), ends.end());
  if (twice != ends.end())
    lines.fail(c10::str("graph ", index, ", which ends here: node ", (*twice)[0],
                        " lists neighbour ", (*twice)[1], " twice"));
  for (const auto& [u, v] : ends) {
    if (!std::binary_search(ends.begin(), ends.end(), std::array<int64_t, 2>{v, u}))
      lines.fail(c10::str("graph ", index, ", which ends here, is not symmetric: node ", u,
                          " lists ", v, ", but node ", v, " does not list ", u));
    if (u < v) graph.edges.push_back({static_cast<int32_t>(u), static_cast<int32_t>(v)});
  }
  return graph;
}

}  // namespace

std::vector<SimpleGraph> parse_graph_text(SourceText source) {
  NumberLines lines(std::move(source), NumberLines::Separator::kBlank);
  const auto& first = lines.next("the number of graphs");
  if (first.size() != 1 || first[0] < 1) lines.fail("expected the number of graphs, 1 or more");
  const int64_t count = first[0];
  std::vector<SimpleGraph> graphs;
  for (int64_t k = 0; k < count; ++k) graphs.push_back(read_graph(lines, k));
  if (!lines.at_end())
    lines.fail(lines.number() + 1, "more lines than the graphs announced in the first one");
  return graphs;
}

std::vector<SimpleGraph> read_graph_text(const std::filesystem::path& path) {
  return parse_graph_text(read_source(path));
}

std::string to_graph_text(const std::vector<SimpleGraph>& graphs) {
  std::string text = std::to_string(graphs.size()) + "\n";
  for (const SimpleGraph& graph : graphs) {
    const Neighborhoods around = neighborhoods(graph);
    text += text::plain(graph.nodes, " ", graph.label, "\n");
    for (int64_t u = 0; u < graph.nodes; ++u) {
      text += text::plain(graph.types.empty() ? 0 : graph.types[u], " ", around.degree(u));
      for (int64_t k = around.first[u]; k < around.first[u + 1]; ++k)
        text += text::plain(" ", around.neighbor[k]);
      text += "\n";
    }
  }
  return text;
}

void write_graph_text(const std::filesystem::path& path, const std::vector<SimpleGraph>& graphs) {
  write_file_atomically(path, to_graph_text(graphs));
}

}  // namespace equiframe::inline io
