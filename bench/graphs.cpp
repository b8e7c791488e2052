/// What orders of nodes cost, on many graphs and on a large one.
#include <algorithm>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <malloc.h>
#include <torch/types.h>

#include "bench.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "frames/permutation/labelling/canonical_form.h"
#include "io/graphs/graph_batch.h"

namespace {

using namespace equiframe;

constexpr auto kGraphNode = PermutationType::Kind::kNode;

SimpleGraph random_graph(int64_t nodes, int64_t edges, std::mt19937_64& random) {
  std::uniform_int_distribution<int32_t> node(0, static_cast<int32_t>(nodes) - 1);
  std::set<SimpleGraph::Edge> drawn;
  while (static_cast<int64_t>(drawn.size()) < edges) {
    const int32_t u = node(random), v = node(random);
    if (u != v) drawn.insert({std::min(u, v), std::max(u, v)});
  }
  SimpleGraph graph;
  graph.nodes = nodes;
  graph.edges.assign(drawn.begin(), drawn.end());
  return graph;
}

/// Both sides in turn on every thousand graphs.
bench::Row many_row() {
  constexpr int64_t kNodes = 64, kBatches = 10, kTogether = 1000;
  const SymmetricGroup group(kNodes);
  const auto canonical = make_frame("canonical", group, PermutationType(kGraphNode));
  const auto laplacian =
      make_frame("laplacian(max_elements=1)", group, PermutationType(kGraphNode));
  bench::Row row{.name = "canonical against laplacian, 10000 x 64 nodes",
                 .goal = bench::Goal::kCost,
                 .target = 1.5};
  std::mt19937_64 random(1);
  double& form = row.facts["canonical_form_seconds"];
  for (int64_t k = 0; k < kBatches; ++k) {
    std::vector<SimpleGraph> graphs;
    graphs.reserve(kTogether);
    for (int64_t b = 0; b < kTogether; ++b)
      graphs.push_back(random_graph(kNodes, 3 * kNodes, random));
    const Batch x = graph_batch(graphs);
    row.ours += bench::seconds([&] { (*canonical)(x); });
    row.reference += bench::seconds([&] { (*laplacian)(x); });
    form += bench::seconds([&] {
      for (const SimpleGraph& graph : graphs) canonical_form(graph);
    });
  }
  row.facts["canonical_seconds"] = row.ours;
  row.facts["laplacian_seconds"] = row.reference;
  return row;
}

/// Of this process: "VmRSS" as it is, "VmHWM" the most so far. 0 where the kernel does not tell.
double megabytes(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(what + ":", 0) == 0) return std::stod(line.substr(what.size() + 1)) / 1024;
  return 0;
}

/// The most memory that `work` needs beyond what there is.
double peak_megabytes(const std::function<void()>& work) {
  malloc_trim(0);  // freed memory must not serve `work` unseen
  std::ofstream("/proc/self/clear_refs") << 5;
  const double before = megabytes("VmRSS");
  work();
  return megabytes("VmHWM") - before;
}

/// Lists of neighbours against the frame that works on matrices.
bench::Row large_row() {
  std::mt19937_64 random(1);
  const SimpleGraph medium = random_graph(1000, 3000, random);
  const SimpleGraph large = random_graph(10000, 30000, random);
  const SymmetricGroup group(medium.nodes);
  const auto dense = make_frame("canonical(cells=none)", group, PermutationType(kGraphNode));
  const Batch x = graph_batch({medium});
  bench::Row row = bench::speedup(
      "canonical form of 1000 nodes, by edges", 50, [&] { canonical_form(medium); },
      [&] { (*dense)(x); });
  row.facts["10000_nodes_megabytes"] = peak_megabytes([&] { canonical_form(large); });
  row.facts["10000_nodes_seconds"] =
      bench::least_of(5, &bench::seconds, [&] { canonical_form(large); });
  return row;
}

const bool kGraphsRegistered[] = {bench::add("graphs", many_row), bench::add("graphs", large_row)};

}  // namespace
