#include "equiframe/frames/canonical_form.h"

#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

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
