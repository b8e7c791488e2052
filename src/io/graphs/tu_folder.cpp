#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <c10/util/StringUtil.h>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "io/bytes/number_lines.h"
#include "io/graphs/graph_edges.h"
#include "io/graphs/listed_edges.h"

namespace equiframe::inline io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "_A.txt";
constexpr std::string_view kIndicator = "_graph_indicator.txt";

/// Of the files of a data set: FOLDER/NAME, from the only NAME_A.txt there.
std::string common_path(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.ends_with(kEdges)) found.push_back(std::move(name));
  }
  const auto fail = [&](const auto&... what) {
    throw UserError(c10::str("'", folder.string(), "' ", what...));
  };
  if (error)
    fail("cannot be read: ", error.message(), "; expected a folder with a file NAME_A.txt");
  if (found.empty())
    fail("has no file that ends with _A.txt; expected NAME_A.txt and NAME_graph_indicator.txt");
  std::sort(found.begin(), found.end());
  if (found.size() > 1) fail("has several files NAME_A.txt (", text::join(found), "); keep one");
  found[0].resize(found[0].size() - kEdges.size());
  return (folder / found[0]).string();
}

int64_t next_number(NumberLines& lines, std::string_view expected) {
  const std::vector<int64_t>& numbers = lines.next(expected);
  if (numbers.size() != 1)
    lines.fail(c10::str("expected one number, ", expected, ", found ", numbers.size()));
  return numbers[0];
}

/// The graph of each node, both counted from 0; ascending.
std::vector<int64_t> read_indicator(const fs::path& path) {
  NumberLines lines(path, NumberLines::Separator::kComma);
  std::vector<int64_t> graph_of;
  int64_t last = 0, first_node = 0;
  do {
    const int64_t graph = next_number(lines, "the number of a node's graph");
    if (graph < 1 || (graph != last && graph != last + 1))
      lines.fail(c10::str("graph ", graph, "; expected ",
                          last == 0 ? "graph 1" : c10::str("graph ", last, " or ", last + 1),
                          ", as graphs follow one another"));
    const auto node = static_cast<int64_t>(graph_of.size());
    if (graph != last) first_node = node;
    if (node - first_node >= kMaxNodes)
      lines.fail(c10::str("graph ", graph, " has too many nodes; expected at most ", kMaxNodes));
    graph_of.push_back(graph - 1);
    last = graph;
  } while (!lines.at_end());
  return graph_of;
}

/// The graphs, still without labels and types.
std::vector<SimpleGraph> read_edges(const fs::path& path, const std::vector<int64_t>& graph_of) {
  const auto nodes = static_cast<int64_t>(graph_of.size());
  const int64_t count = graph_of.back() + 1;
  std::vector<SimpleGraph> graphs(count);
  std::vector<ListedEdges> listed;
  listed.reserve(count);
  for (int64_t node = 0; node < nodes; ++node)
    if (graphs[graph_of[node]].nodes++ == 0) listed.emplace_back(node + 1);
  NumberLines lines(path, NumberLines::Separator::kComma);
  do {
    constexpr std::string_view kExpected = "'u, v', the nodes of an edge";
    const std::vector<int64_t>& ends = lines.next(kExpected);
    if (ends.size() != 2)
      lines.fail(c10::str("expected two numbers, ", kExpected, ", found ", ends.size()));
    for (const int64_t end : ends)
      if (end < 1 || end > nodes)
        lines.fail(
            c10::str("node ", end, "; expected 1 to ", nodes, ", the lines of NAME", kIndicator));
    const int64_t graph = graph_of[ends[0] - 1], other = graph_of[ends[1] - 1];
    if (graph != other)
      lines.fail(c10::str("an edge from node ", ends[0], " of graph ", graph + 1, " to node ",
                          ends[1], " of graph ", other + 1, "; expected two of the same graph"));
    listed[graph].add(lines, ends[0], ends[1]);
  } while (!lines.at_end());
  for (int64_t graph = 0; graph < count; ++graph) graphs[graph].edges = listed[graph].sorted(lines);
  return graphs;
}

/// The labels of `count` graphs or nodes, one a line; none if there is no such file.
std::vector<int64_t> read_labels(const fs::path& path, size_t count, std::string_view of) {
  if (!fs::exists(path)) return {};
  NumberLines lines(path, NumberLines::Separator::kComma);
  const std::string expected = c10::str("the label of a ", of);
  std::vector<int64_t> labels;
  labels.reserve(count);
  do {
    labels.push_back(next_number(lines, expected));
  } while (!lines.at_end());
  if (labels.size() != count)
    lines.fail(
        c10::str("expected ", count, " labels, one for each ", of, ", found ", labels.size()));
  return labels;
}

}  // namespace

std::vector<SimpleGraph> read_tu_folder(const fs::path& folder) {
  const std::string common = common_path(folder);
  const auto file = [&](std::string_view ending) { return fs::path(c10::str(common, ending)); };
  const std::vector<int64_t> graph_of = read_indicator(file(kIndicator));
  std::vector<SimpleGraph> graphs = read_edges(file(kEdges), graph_of);
  const auto labels = read_labels(file("_graph_labels.txt"), graphs.size(), "graph");
  for (size_t k = 0; k < labels.size(); ++k) graphs[k].label = labels[k];
  const auto types = read_labels(file("_node_labels.txt"), graph_of.size(), "node");
  for (size_t node = 0; node < types.size(); ++node)
    graphs[graph_of[node]].types.push_back(types[node]);
  return graphs;
}

}  // namespace equiframe::inline io
