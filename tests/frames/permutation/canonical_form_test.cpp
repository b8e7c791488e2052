#include "frames/permutation/labelling/canonical_form.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "frames/permutation/labelling/automorphisms.h"
#include "io/graphs/graph_batch.h"

namespace equiframe {
namespace {

SimpleGraph cycle(int64_t nodes) {
  SimpleGraph graph{nodes, {}, {}, 0};
  for (int32_t u = 0; u < nodes; ++u)
    graph.edges.push_back({u, static_cast<int32_t>((u + 1) % nodes)});
  tidy(graph);
  return graph;
}

SimpleGraph shuffled(const SimpleGraph& graph, std::mt19937& generator) {
  std::vector<int64_t> order(static_cast<size_t>(graph.nodes));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::shuffle(order.begin(), order.end(), generator);
  return relabel(graph, order);
}

TEST(CanonicalForm, IsTheSameForEveryLabelling) {
  std::mt19937 generator(1);
  for (int round = 0; round < 30; ++round) {
    SimpleGraph graph{12, {}, {}, 0};
    for (int32_t u = 0; u < 12; ++u)
      for (int32_t v = u + 1; v < 12; ++v)
        if (generator() % 4 == 0) graph.edges.push_back({u, v});
    if (round % 2 == 0)
      for (int64_t u = 0; u < 12; ++u) graph.types.push_back(u % 3);
    const SimpleGraph form = canonical_graph(graph);
    EXPECT_EQ(form.edges.size(), graph.edges.size());
    for (int again = 0; again < 5; ++again)
      EXPECT_EQ(canonical_graph(shuffled(graph, generator)), form);
  }
}

TEST(CanonicalForm, TellsGraphsApart) {
  SimpleGraph two_triangles{6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}, {}, 0};
  EXPECT_NE(canonical_graph(two_triangles), canonical_graph(cycle(6)));  // 1-WL cannot
  SimpleGraph marked = cycle(6);
  marked.types = {1, 1, 0, 0, 0, 0};
  SimpleGraph apart = cycle(6);
  apart.types = {1, 0, 0, 1, 0, 0};
  EXPECT_NE(canonical_graph(marked), canonical_graph(apart));
}

TEST(CanonicalForm, KnowsTheSymmetries) {
  EXPECT_EQ(canonical_form(cycle(7)).group_order(), "14");
  EXPECT_EQ(canonical_form(SimpleGraph{8, {}, {}, 0}).group_order(), "40320");
  EXPECT_EQ(canonical_form(SimpleGraph{1, {}, {}, 0}).group_order(), "1");
  EXPECT_EQ(canonical_form(SimpleGraph{0, {}, {}, 0}).order.size(), 0U);
  SimpleGraph marked = cycle(6);
  marked.types = {1, 0, 0, 0, 0, 0};
  const CanonicalForm form = canonical_form(marked);
  EXPECT_EQ(form.group_order(), "2");
  EXPECT_EQ(form.orbits, (std::vector<int64_t>{0, 1, 2, 3, 2, 1}));
  EXPECT_EQ(form.order.back(), 0);  // the larger type comes last
  EXPECT_EQ(canonical_form(SimpleGraph{30, {}, {}, 0}).group_order(), "2.65253e32");
}

SimpleGraph from_edges(int64_t nodes, std::set<SimpleGraph::Edge> edges) {
  std::erase_if(edges, [](const SimpleGraph::Edge& edge) { return edge[0] == edge[1]; });
  return {nodes, {edges.begin(), edges.end()}, {}, 0};
}

/// Every node but the first `trees` hangs on one before it, drawn by `parent`.
SimpleGraph forest(int64_t nodes, int32_t trees, const std::function<int32_t(int32_t)>& parent) {
  SimpleGraph graph{nodes, {}, {}, 0};
  for (int32_t u = trees; u < nodes; ++u) graph.edges.push_back({parent(u), u});
  tidy(graph);
  return graph;
}

/// `count` copies of `part`, each node of them joined to a hub if `hub` is 1.
SimpleGraph copies(const SimpleGraph& part, int32_t count, int32_t hub) {
  const auto size = static_cast<int32_t>(part.nodes);
  SimpleGraph graph{int64_t{size} * count + hub, {}, {}, 0};
  for (int32_t k = 0; k < count; ++k) {
    const int32_t base = hub + k * size;
    for (const auto& [u, v] : part.edges) graph.edges.push_back({base + u, base + v});
    for (int32_t u = 0; hub == 1 && u < size; ++u) graph.edges.push_back({0, base + u});
  }
  tidy(graph);
  return graph;
}

double log_factorial(double n) {
  return std::lgamma(n + 1);
}

/// Large graphs whose groups are known. What nauty would need a level for, one for each node, is
/// put together before.
TEST(CanonicalForm, IsQuickWhereManyNodesAreAlike) {
  const auto hub = [](int32_t) { return 0; };
  const auto halved = [](int32_t u) { return (u - 1) / 2; };
  const auto leg = [](int32_t u) { return u % 2 == 1 ? 0 : u - 1; };
  SimpleGraph bipartite{3003, {}, {}, 0}, clique{400, {}, {}, 0};
  for (int32_t u = 0; u < 3; ++u)
    for (int32_t v = 3; v < 3003; ++v) bipartite.edges.push_back({u, v});
  for (int32_t u = 0; u < 400; ++u)
    for (int32_t v = u + 1; v < 400; ++v) clique.edges.push_back({u, v});
  const SimpleGraph path{4, {{0, 1}, {1, 2}, {2, 3}}, {}, 0};
  const std::vector<std::pair<SimpleGraph, double>> cases{
      {{100000, {}, {}, 0}, log_factorial(100000)},
      {{4001, {{0, 4000}}, {}, 0}, std::log(2) + log_factorial(3999)},
      {forest(50001, 1, hub), log_factorial(50000)},
      {forest(20001, 1, leg), log_factorial(10000)},
      {forest(8191, 1, halved), 4095 * std::log(2)},
      {bipartite, log_factorial(3) + log_factorial(3000)},
      {clique, log_factorial(400)},
      {copies(path, 20000, 0), log_factorial(20000) + 20000 * std::log(2)},
      {copies(cycle(5), 2000, 0), log_factorial(2000) + 2000 * std::log(10)},
  };
  std::mt19937 generator(4);
  for (size_t k = 0; k < cases.size(); ++k) {
    const auto& [graph, log_order] = cases[k];
    EXPECT_NEAR(canonical_form(graph).log_group_order, log_order, 1e-9 * log_order) << k;
    EXPECT_EQ(canonical_graph(shuffled(graph, generator)), canonical_graph(graph)) << k;
  }
}

/// Twins, leaves and components are put together above 128 nodes only; on both sides, and by the
/// matrix, groups and orbits are those of the graph.
TEST(CanonicalForm, PutsTogetherWhatIsAlikeAndNothingElse) {
  std::mt19937 generator(5);
  const auto draw = [&](int32_t below) { return static_cast<int32_t>(generator() % below); };
  for (int round = 0; round < 24; ++round) {
    const int64_t nodes = 120 + draw(80);
    SimpleGraph graph = round % 3 == 0
                            ? forest(nodes, 1 + draw(40), [&](int32_t u) { return draw(u); })
                            : SimpleGraph{nodes, {}, {}, 0};
    if (round % 3 == 1) {
      std::set<SimpleGraph::Edge> edges;
      for (int64_t k = 0; k < nodes; ++k) {
        const int32_t u = draw(static_cast<int32_t>(nodes)), v = draw(static_cast<int32_t>(nodes));
        edges.insert({std::min(u, v), std::max(u, v)});
      }
      graph = from_edges(nodes, edges);
    }
    if (round % 3 == 2) graph = copies(cycle(3 + draw(4)), 30, draw(2));
    if (round % 2 == 0)
      for (int64_t u = 0; u < graph.nodes; ++u) graph.types.push_back(draw(3));
    const CanonicalForm form = canonical_form(graph);
    const Automorphisms known = automorphisms(graph_batch({graph}), 0);
    EXPECT_NEAR(form.log_group_order, known.log_order, 1e-6) << round;
    EXPECT_TRUE(torch::tensor(form.orbits).equal(known.node_orbits)) << round;
    const SimpleGraph canonical = relabel(graph, form.order);
    EXPECT_TRUE(std::is_sorted(canonical.types.begin(), canonical.types.end())) << round;
    for (int again = 0; again < 3; ++again)
      EXPECT_EQ(canonical_graph(shuffled(graph, generator)), canonical) << round;
  }
}

TEST(CanonicalForm, TellsLargeGraphsApartThatDifferInTwins) {
  const auto joined = [](int32_t first, int32_t second) {  // two hubs, with so many leaves
    return forest(2 + first + second, 1,
                  [&](int32_t u) { return u == 1 || u < 2 + first ? 0 : 1; });
  };
  EXPECT_EQ(canonical_graph(joined(100, 60)), canonical_graph(joined(60, 100)));
  EXPECT_NE(canonical_graph(joined(100, 60)), canonical_graph(joined(80, 80)));
  EXPECT_NE(canonical_graph(copies(cycle(3), 100, 0)), canonical_graph(copies(cycle(6), 50, 0)));
}

TEST(CanonicalForm, TakesTenThousandNodes) {
  std::mt19937 generator(3);
  SimpleGraph graph{10000, {}, {}, 0};
  std::set<SimpleGraph::Edge> edges;
  while (edges.size() < 30000) {
    const auto u = static_cast<int32_t>(generator() % 10000);
    const auto v = static_cast<int32_t>(generator() % 10000);
    if (u != v) edges.insert({std::min(u, v), std::max(u, v)});
  }
  graph.edges.assign(edges.begin(), edges.end());
  EXPECT_EQ(canonical_graph(graph), canonical_graph(shuffled(graph, generator)));
}

}  // namespace
}  // namespace equiframe
