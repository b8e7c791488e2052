#include "io/graphs/graph_batch.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <system_error>
#include <utility>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "io/graphs/graph_edges.h"
#include "io/graphs/graph_readers.h"

namespace equiframe::inline io {

namespace {

void fill_pairs(const std::vector<SimpleGraph>& graphs, Batch& batch) {
  const int64_t n = batch.nodes();
  batch.pair = torch::zeros({batch.size(), n, n, 1});
  auto* pair = batch.pair.data_ptr<float>();
  for (const SimpleGraph& graph : graphs) {
    for (const auto& [u, v] : graph.edges) pair[u * n + v] = pair[v * n + u] = 1;
    pair += n * n;
  }
}

void fill_neighbors(const std::vector<SimpleGraph>& graphs, Batch& batch) {
  constexpr int64_t kMaxEntries = int64_t{1} << 28;  // 2 GB
  const auto degree = static_cast<int64_t>(batch.x.select(-1, 1).max().item<float>());
  if (batch.size() * batch.nodes() * degree > kMaxEntries)
    throw UserError(c10::str("a graph of ", batch.nodes(), " nodes has one with ", degree,
                             " neighbours; as lists of that length for every node it takes too "
                             "much memory, leave it out"));
  batch.neighbors = torch::full({batch.size(), batch.nodes(), degree}, -1, torch::kLong);
  auto* rows = batch.neighbors.data_ptr<int64_t>();
  for (const SimpleGraph& graph : graphs) {
    const Neighborhoods near = neighborhoods(graph);
    for (int64_t u = 0; u < graph.nodes; ++u)
      std::copy(near.neighbor.begin() + near.first[u], near.neighbor.begin() + near.first[u + 1],
                rows + u * degree);
    rows += batch.nodes() * degree;
  }
}

}  // namespace

Batch graph_batch(const std::vector<SimpleGraph>& graphs, int64_t slots) {
  int64_t largest = 1, smallest = kMaxNodes;
  for (const SimpleGraph& graph : graphs) {
    largest = std::max(largest, graph.nodes);
    smallest = std::min(smallest, graph.nodes);
  }
  const int64_t n = slots > 0 ? slots : largest, count = static_cast<int64_t>(graphs.size());
  if (largest > n)
    throw UserError(c10::str("a graph has ", largest, " nodes, but only ", n, " have a place"));
  Batch batch;
  batch.x = torch::zeros({count, n, 2});
  if (smallest < n) batch.mask = torch::zeros({count, n}, torch::kBool);
  auto* x = batch.x.data_ptr<float>();
  for (int64_t b = 0; b < count; ++b, x += 2 * n) {
    const SimpleGraph& graph = graphs[b];
    for (int64_t u = 0; u < graph.nodes; ++u)
      x[2 * u] = graph.types.empty() ? 1.0F : static_cast<float>(graph.types[u]);
    for (const auto& [u, v] : graph.edges) {
      x[2 * u + 1] += 1;
      x[2 * v + 1] += 1;
    }
    if (batch.mask.defined()) std::fill_n(batch.mask.data_ptr<bool>() + b * n, graph.nodes, true);
  }
  n > kDensePairs ? fill_neighbors(graphs, batch) : fill_pairs(graphs, batch);
  return batch;
}

std::vector<std::vector<int64_t>> batches_by_size(const std::vector<SimpleGraph>& graphs,
                                                  int64_t pairs) {
  std::vector<int64_t> order(graphs.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return graphs[a].nodes < graphs[b].nodes; });
  std::vector<std::vector<int64_t>> batches;
  for (const int64_t k : order) {
    const int64_t area = graphs[k].nodes * graphs[k].nodes;
    const auto size = batches.empty() ? 0 : static_cast<int64_t>(batches.back().size());
    if (batches.empty() || (size + 1) * area > pairs) batches.emplace_back();
    batches.back().push_back(k);
  }
  return batches;
}

std::vector<SimpleGraph> pick(const std::vector<SimpleGraph>& graphs,
                              const std::vector<int64_t>& places) {
  std::vector<SimpleGraph> some;
  some.reserve(places.size());
  for (const int64_t k : places) some.push_back(graphs.at(static_cast<size_t>(k)));
  return some;
}

std::vector<SimpleGraph> read_graphs(const std::filesystem::path& path) {
  std::error_code missing;  // told below
  if (std::filesystem::is_directory(path, missing)) return read_tu_folder(path);
  SourceText source = read_source(path);
  const std::string_view text = source.text;
  const std::string_view first_line = text.substr(0, text.find('\n'));
  if (path.extension() == ".csv" || first_line.find(',') != std::string_view::npos)
    return parse_edge_csv(std::move(source));
  const size_t begin = text.find_first_not_of(" \t\r\n");
  const bool number = begin != std::string_view::npos && text[begin] >= '0' && text[begin] <= '9';
  return number ? parse_graph_text(std::move(source)) : parse_graph6_lines(source);
}

}  // namespace equiframe::inline io
