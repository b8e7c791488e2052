// The frames of S(n) on the benchmarks: the framed graph does not know how its input was labelled.
// On sets of our own, and on the published files where EQUIFRAME_BENCHMARKS names their folder.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/graphs/graph_sets.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "frames/permutation/graph_spectrum.h"
#include "io/graphs/graph_batch.h"

namespace equiframe {
namespace {

constexpr int kRelabellings = 20;
constexpr auto kNode = PermutationType::Kind::kNode;

/// A published file, none if it is not here.
std::vector<SimpleGraph> published(const char* file) {
  const char* folder = std::getenv("EQUIFRAME_BENCHMARKS");
  if (folder == nullptr || !std::filesystem::exists(std::filesystem::path(folder) / file))
    return {};
  return read_graphs(std::filesystem::path(folder) / file);
}

std::vector<int64_t> random_order(int64_t nodes, std::mt19937& generator) {
  std::vector<int64_t> order(static_cast<size_t>(nodes));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::shuffle(order.begin(), order.end(), generator);
  return order;
}

/// x and pair as the one element of the canonical frame sees them, a row for each graph.
Tensor framed_rows(const std::vector<SimpleGraph>& graphs) {
  const Batch batch = graph_batch(graphs);
  const SymmetricGroup group(batch.nodes());
  const auto frame = (*make_frame("canonical", group, kNode))(batch);
  const Batch framed = group.act_inverse(kNode, frame.elements.select(1, 0), batch);
  return torch::cat({framed.x.flatten(1), framed.pair.flatten(1)}, 1);
}

/// Graphs whose canonical framed copy changes under a relabelling.
int64_t changed_canonical(const std::vector<SimpleGraph>& graphs) {
  std::mt19937 generator(1);
  int64_t changed = 0;
  for (size_t start = 0; start < graphs.size(); start += 512) {
    std::vector<SimpleGraph> some;
    for (size_t k = start; k < std::min(start + 512, graphs.size()); ++k) some.push_back(graphs[k]);
    const Tensor expected = framed_rows(some);
    Tensor different = torch::zeros({expected.size(0)}, torch::kBool);
    for (int round = 0; round < kRelabellings; ++round) {
      std::vector<SimpleGraph> moved;
      for (const SimpleGraph& graph : some)
        moved.push_back(relabel(graph, random_order(graph.nodes, generator)));
      different |= (framed_rows(moved) != expected).any(1);
    }
    changed += different.sum().item<int64_t>();
  }
  return changed;
}

/// The tie cells of the Laplacian sort, as the place where each node's cell starts. The framed set
/// is the orders that keep the cells, so it follows relabellings if and only if these do.
std::vector<int64_t> cell_of_nodes(const SimpleGraph& graph) {
  const int64_t n = graph.nodes;
  Graph dense;
  dense.nodes = n;
  dense.adjacency.assign(static_cast<size_t>(n * n), 0);
  for (const auto& [u, v] : graph.edges)
    dense.adjacency[u * n + v] = dense.adjacency[v * n + u] = 1;
  return spectral_cells(dense, 1e-8).ranks();
}

int64_t changed_laplacian(const std::vector<SimpleGraph>& graphs) {
  std::mt19937 generator(2);
  int64_t changed = 0;
  for (size_t k = 0; k < graphs.size(); ++k) {
    const std::vector<int64_t> cell = cell_of_nodes(graphs[k]);
    bool differs = false;
    for (int round = 0; round < kRelabellings && !differs; ++round) {
      const std::vector<int64_t> order = random_order(graphs[k].nodes, generator);
      const std::vector<int64_t> moved = cell_of_nodes(relabel(graphs[k], order));
      for (size_t p = 0; p < order.size(); ++p) differs |= moved[p] != cell[order[p]];
    }
    changed += differs ? 1 : 0;
  }
  return changed;
}

struct GraphSet {
  const char* name;
  std::vector<SimpleGraph> (*graphs)();
};

class Relabelling : public testing::TestWithParam<GraphSet> {};

TEST_P(Relabelling, ChangesNoFrame) {
  const std::vector<SimpleGraph> graphs = GetParam().graphs();
  if (graphs.empty())
    GTEST_SKIP() << "the published file is not here; EQUIFRAME_BENCHMARKS names its folder";
  EXPECT_EQ(changed_canonical(graphs), 0);
  EXPECT_EQ(changed_laplacian(graphs), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Sets, Relabelling,
    testing::Values(GraphSet{"Graph8cMadeHere", [] { return connected_graphs(8); }},
                    GraphSet{"PairsLikeExp", [] { return exp_like_pairs({}); }},
                    GraphSet{"Graph8cAsPublished", [] { return published("graph8c.g6"); }},
                    GraphSet{"ExpAsPublished", [] { return published("exp.txt"); }}),
    [](const auto& set) { return std::string(set.param.name); });

}  // namespace
}  // namespace equiframe
