#include "core/simple_graph.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

SimpleGraph graph_of(int64_t nodes, std::vector<SimpleGraph::Edge> edges) {
  SimpleGraph graph{nodes, std::move(edges), {}, 0};
  tidy(graph);
  return graph;
}

TEST(SimpleGraph, TidySortsEdgesAndTheirEnds) {
  const SimpleGraph graph = graph_of(4, {{3, 1}, {0, 2}, {1, 0}});
  EXPECT_EQ(graph.edges, (std::vector<SimpleGraph::Edge>{{0, 1}, {0, 2}, {1, 3}}));
}

TEST(SimpleGraph, TidyRefusesWhatIsNotSimple) {
  EXPECT_THROW(graph_of(3, {{1, 1}}), UserError);
  EXPECT_THROW(graph_of(3, {{0, 1}, {1, 0}}), UserError);
  EXPECT_THROW(graph_of(3, {{0, 3}}), UserError);
  EXPECT_THROW(graph_of(3, {{-1, 2}}), UserError);
}

TEST(SimpleGraph, NeighborhoodsAreSortedAndSymmetric) {
  const Neighborhoods around = neighborhoods(graph_of(5, {{4, 2}, {2, 0}, {2, 3}, {0, 1}}));
  EXPECT_EQ(around.first, (std::vector<int64_t>{0, 2, 3, 6, 7, 8}));
  EXPECT_EQ(around.neighbor, (std::vector<int32_t>{1, 2, 0, 0, 3, 4, 2, 2}));
  EXPECT_EQ(around.degree(2), 3);
}

TEST(SimpleGraph, ComponentsAreNumberedByTheirFirstNodes) {
  EXPECT_EQ(components(graph_of(6, {{0, 4}, {1, 2}, {2, 5}})),
            (std::vector<int64_t>{0, 1, 1, 2, 0, 1}));
}

TEST(SimpleGraph, RelabelMovesEdgesAndTypes) {
  SimpleGraph path = graph_of(3, {{0, 1}, {1, 2}});
  path.types = {7, 8, 9};
  const SimpleGraph moved = relabel(path, {1, 2, 0});
  EXPECT_EQ(moved.edges, (std::vector<SimpleGraph::Edge>{{0, 1}, {0, 2}}));
  EXPECT_EQ(moved.types, (std::vector<int64_t>{8, 9, 7}));
  EXPECT_EQ(relabel(moved, {2, 0, 1}), path);
}

/// Nodes (i, j) of a 4 x 4 torus, joined where the difference is one of `steps`.
SimpleGraph torus(const std::vector<std::array<int, 2>>& steps) {
  SimpleGraph graph;
  graph.nodes = 16;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (const auto& [di, dj] : steps) {
        const int32_t u = 4 * i + j, v = 4 * ((i + di) % 4) + (j + dj) % 4;
        const SimpleGraph::Edge edge{std::min(u, v), std::max(u, v)};
        if (std::find(graph.edges.begin(), graph.edges.end(), edge) == graph.edges.end())
          graph.edges.push_back(edge);
      }
  tidy(graph);
  return graph;
}

TEST(StronglyRegular, ParametersOfTheTwoOnSixteenNodes) {
  const StronglyRegular wanted{16, 6, 2, 2};
  EXPECT_EQ(strongly_regular(torus({{0, 1}, {1, 0}, {1, 1}})), wanted);          // Shrikhande
  EXPECT_EQ(strongly_regular(torus({{0, 1}, {0, 2}, {1, 0}, {2, 0}})), wanted);  // 4 x 4 rook
  EXPECT_FALSE(strongly_regular(torus({{0, 1}, {1, 0}})));                       // the grid
  EXPECT_FALSE(strongly_regular({3, {{0, 1}, {0, 2}, {1, 2}}, {}, 0}));          // complete
  EXPECT_FALSE(strongly_regular({4, {{0, 1}, {2, 3}}, {}, 0}));                  // apart
  EXPECT_EQ(strongly_regular({5, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 4}}, {}, 0}),
            (StronglyRegular{5, 2, 0, 1}));
}

}  // namespace
}  // namespace equiframe
