#include "datasets/graphs/graph_sets.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "frames/permutation/labelling/canonical_form.h"
#include "frames/permutation/labelling/weisfeiler_leman.h"
#include "io/graphs/graph6.h"

namespace equiframe {
namespace {

TEST(ConnectedGraphs, AreAsManyAsKnown) {  // OEIS A001349
  const int64_t known[] = {1, 1, 2, 6, 21, 112, 853};
  for (int64_t n = 1; n <= 7; ++n)
    EXPECT_EQ(static_cast<int64_t>(connected_graphs(n).size()), known[n - 1]) << n;
}

TEST(ConnectedGraphs, OfEightNodesAreTheBenchmark) {
  const auto graphs = connected_graphs(8);
  ASSERT_EQ(graphs.size(), 11117U);
  std::set<std::string> classes;
  for (const SimpleGraph& graph : graphs) {
    const auto part = components(graph);
    EXPECT_TRUE(std::all_of(part.begin(), part.end(), [](int64_t k) { return k == 0; }));
    classes.insert(to_graph6(canonical_graph(graph)));
  }
  EXPECT_EQ(classes.size(), graphs.size());
}

TEST(ConnectedGraphs, TooManyAreRefused) {
  EXPECT_THROW(connected_graphs(0), UserError);
  EXPECT_THROW(connected_graphs(10), UserError);
}

TEST(Formulas, AreReadFromTheirGraphs) {
  // (a or b) and (not a or not b): nodes 0..3 = a, not a, b, not b; 4, 5 the clauses.
  SimpleGraph formula{6, {{0, 1}, {2, 3}, {0, 4}, {2, 4}, {1, 5}, {3, 5}}, {1, 1, 1, 1, 0, 0}, 0};
  tidy(formula);
  EXPECT_TRUE(satisfiable(formula));
  // a and not a
  EXPECT_FALSE(satisfiable(SimpleGraph{4, {{0, 1}, {0, 2}, {1, 3}}, {1, 1, 0, 0}, 0}));
  EXPECT_THROW(satisfiable(SimpleGraph{2, {{0, 1}}, {0, 0}, 0}), UserError);
  EXPECT_THROW(satisfiable(SimpleGraph{1, {}, {1}, 0}), UserError);
  EXPECT_THROW(satisfiable(SimpleGraph{3, {{0, 1}, {1, 2}}, {1, 1, 1}, 0}), UserError);
  EXPECT_THROW(satisfiable(SimpleGraph{2, {{0, 1}}, {}, 0}), UserError);
}

TEST(ExpPairs, AreWhatTheBenchmarkIs) {
  int64_t told = 0;
  const auto graphs = exp_like_pairs({.pairs = 60, .seed = 3}, [&](int64_t done) { told = done; });
  EXPECT_EQ(told, 60);
  ASSERT_EQ(graphs.size(), 120U);
  std::set<int64_t> cores;
  for (size_t k = 0; k < graphs.size(); k += 2) {
    const SimpleGraph &yes = graphs[k], &no = graphs[k + 1];
    EXPECT_EQ(yes.label, 1);
    EXPECT_EQ(no.label, 0);
    EXPECT_TRUE(satisfiable(yes));
    EXPECT_FALSE(satisfiable(no));
    EXPECT_EQ(yes.nodes, no.nodes);
    EXPECT_TRUE(equal_for_1wl(yes, no));
    EXPECT_FALSE(equal_for_2fwl(yes, no));
    EXPECT_NE(canonical_graph(yes).edges, canonical_graph(no).edges);
    EXPECT_LE(yes.nodes, 70);
    cores.insert(components(no).back());
  }
}

TEST(ExpPairs, FollowTheirSeed) {
  const ExpOptions options{.pairs = 6, .seed = 5};
  EXPECT_EQ(exp_like_pairs(options), exp_like_pairs(options));
  ExpOptions other = options;
  other.seed = 6;
  EXPECT_NE(exp_like_pairs(options), exp_like_pairs(other));
  ExpOptions shuffled = options;
  shuffled.shuffle = true;
  const auto plain = exp_like_pairs(options), moved = exp_like_pairs(shuffled);
  EXPECT_NE(plain[0], moved[0]);
  EXPECT_EQ(canonical_graph(plain[0]), canonical_graph(moved[0]));
}

TEST(ExpPairs, WrongOptionsAreRefused) {
  EXPECT_THROW(exp_like_pairs({.pairs = 0}), UserError);
  EXPECT_THROW(exp_like_pairs({.pairs = 1, .small_base = 3}), UserError);
}

}  // namespace
}  // namespace equiframe
