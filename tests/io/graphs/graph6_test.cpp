#include "io/graphs/graph6.h"

#include <random>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

SimpleGraph random_graph(int64_t nodes, double density, std::mt19937& generator) {
  SimpleGraph graph{nodes, {}, {}, 0};
  std::bernoulli_distribution there(density);
  for (int32_t u = 0; u < nodes; ++u)
    for (int32_t v = u + 1; v < nodes; ++v)
      if (there(generator)) graph.edges.push_back({u, v});
  return graph;
}

std::string graph6_complaint(const std::string& line) {
  return data_test::message_of<UserError>([&] { parse_graph6(line); });
}

TEST(Graph6, ReadsWhatNautyWrites) {
  const SimpleGraph star = parse_graph6("G???F{");  // K_{1,7}
  EXPECT_EQ(star.nodes, 8);
  ASSERT_EQ(star.edges.size(), 7U);
  for (const auto& edge : star.edges) EXPECT_EQ(edge[1], 7);
  EXPECT_EQ(parse_graph6("G~~~~{").edges.size(), 28U);  // K_8
  EXPECT_EQ(to_graph6(star), "G???F{");
  // The example of the format's definition: n = 7, edges 0-1 0-2 1-2 5-6.
  const SimpleGraph example = parse_graph6(":Fa@x^");
  EXPECT_EQ(example.nodes, 7);
  EXPECT_EQ(example.edges, (std::vector<SimpleGraph::Edge>{{0, 1}, {0, 2}, {1, 2}, {5, 6}}));
  EXPECT_EQ(to_sparse6(example), ":Fa@x^");
}

/// One bit for each pair of nodes is too much for large graphs, which have few edges.
TEST(Graph6, LargeGraphsAreWrittenSparse) {
  const SimpleGraph lonely{100000, {{5, 99999}}, {}, 0};
  EXPECT_LT(to_shorter6(lonely).size(), 30U);
  EXPECT_EQ(parse_graph6(to_shorter6(lonely)), lonely);
  const SimpleGraph small{4096, {{5, 4095}}, {}, 0};
  EXPECT_EQ(to_shorter6(small), to_graph6(small));
}

TEST(Graph6, GivesBackEveryGraph) {
  std::mt19937 generator(1);
  for (const int64_t nodes : {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 62, 63, 64, 70, 129}) {
    for (const double density : {0.0, 0.03, 0.1, 0.5, 1.0}) {
      for (int round = 0; round < 8; ++round) {
        const SimpleGraph graph = random_graph(nodes, density, generator);
        EXPECT_EQ(parse_graph6(to_graph6(graph)), graph) << nodes << " " << density;
        EXPECT_EQ(parse_graph6(to_sparse6(graph)), graph) << nodes << " " << density;
      }
    }
  }
}

/// Where the padding of sparse6 could read as one more edge: node n - 2 has edges, n - 1 none.
TEST(Graph6, Sparse6PaddingIsNoEdge) {
  for (const int64_t nodes : {2, 4, 8, 16}) {
    for (int32_t u = 0; u + 2 < nodes; ++u) {
      const SimpleGraph graph{nodes, {{u, static_cast<int32_t>(nodes - 2)}}, {}, 0};
      EXPECT_EQ(parse_graph6(to_sparse6(graph)), graph) << nodes << " " << u;
    }
  }
}

TEST(Graph6, LargeNumbersOfNodes) {
  const SimpleGraph large{300'000, {{5, 299'999}, {7, 12}}, {}, 0};
  SimpleGraph sorted = large;
  tidy(sorted);
  EXPECT_EQ(parse_graph6(to_sparse6(sorted)), sorted);
}

TEST(Graph6, SaysWhatIsWrong) {
  EXPECT_NE(graph6_complaint("G???F").find("takes 5 characters after their number, the line has 4"),
            std::string::npos);
  EXPECT_NE(graph6_complaint("G?? F{").find("character 4"), std::string::npos);
  EXPECT_NE(graph6_complaint("~?").find("cut off"), std::string::npos);
  EXPECT_NE(graph6_complaint("&C").find("directed"), std::string::npos);
  EXPECT_NE(graph6_complaint("B~").find("damaged"), std::string::npos);
  EXPECT_NE(graph6_complaint("~~~~~~~~").find("at most"), std::string::npos);
  EXPECT_NE(graph6_complaint(":BF").find("itself"), std::string::npos) << graph6_complaint(":BF");
}

TEST(Graph6, FilesMayHaveHeadersAndErrorsNameTheLine) {
  const data_test::TemporaryFolder folder;
  const auto file = folder.path() / "some.g6";
  data_test::write_file(file, ">>graph6<<G???F{\r\n\n:Fa@x^\n");
  const auto graphs = read_graph6(file);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[1].nodes, 7);
  write_graph6(file, graphs);
  EXPECT_EQ(read_graph6(file), graphs);
  data_test::write_file(file, "G???F{\nG???\n");
  EXPECT_NE(data_test::message_of<UserError>([&] {
              read_graph6(file);
            }).find("some.g6:2: a graph of 8 nodes"),
            std::string::npos);
  data_test::write_file(file, "\n");
  EXPECT_THROW(read_graph6(file), UserError);
  EXPECT_THROW(read_graph6(folder.path() / "missing.g6"), UserError);
}

}  // namespace
}  // namespace equiframe
