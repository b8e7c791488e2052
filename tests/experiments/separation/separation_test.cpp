#include "experiments/separation/separation.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/graphs/graph_sets.h"

namespace equiframe::experiments {
namespace {

std::vector<IndexPair> by_all_distances(const Tensor& rows, double radius) {
  const Tensor wide = rows.to(torch::kFloat64);
  const Tensor apart = (wide.unsqueeze(0) - wide.unsqueeze(1)).abs().sum(-1);
  std::vector<IndexPair> pairs;
  for (int32_t a = 0; a < rows.size(0); ++a)
    for (int32_t b = a + 1; b < rows.size(0); ++b)
      if (apart[a][b].item<double>() <= radius) pairs.push_back({a, b});
  return pairs;
}

TEST(ClosePairs, AreThoseOfAllDistances) {
  torch::manual_seed(1);
  for (const double radius : {0.0, 1e-3, 0.05, 0.5, 10.0}) {
    Tensor rows = torch::rand({120, 3});
    rows.narrow(0, 100, 20).copy_(rows.narrow(0, 0, 20));  // equal rows
    rows.select(1, 2).fill_(0.25);                         // a useless axis
    EXPECT_EQ(close_pairs(rows, radius), by_all_distances(rows, radius)) << radius;
    EXPECT_EQ(still_close(by_all_distances(rows, 10), rows, radius),
              by_all_distances(rows, radius));
  }
  EXPECT_TRUE(close_pairs(torch::rand({1, 3}), 1).empty());
}

TEST(Separation, OfMessagePassingIsThatOf1Wl) {
  const auto graphs = connected_graphs(6);  // all 112 are told apart by 1-WL but for some pairs
  const Separation gin = separation("gin", graphs, Pairing::kAll, {.seeds = 5});
  EXPECT_EQ(gin.pairs, 112 * 111 / 2);
  EXPECT_GE(gin.unseparated, 1);
  EXPECT_LE(gin.unseparated, 20);
  EXPECT_EQ(gin.falsely_separated, 0);
  const Separation ppgn = separation("ppgn", graphs, Pairing::kAll, {.seeds = 5});
  EXPECT_EQ(ppgn.unseparated, 0);
  EXPECT_EQ(ppgn.falsely_separated, 0);
}

TEST(Separation, OfPairsThatMessagePassingCannotTellApart) {
  const auto graphs = exp_like_pairs({.pairs = 20});
  int64_t told = 0;
  const Separation gcn = separation("gcn", graphs, Pairing::kNeighbours,
                                    {.seeds = 3, .progress = [&](int64_t done) { told = done; }});
  EXPECT_EQ(told, 3);
  EXPECT_EQ(gcn.pairs, 20);
  EXPECT_EQ(gcn.unseparated, 20);
  EXPECT_EQ(gcn.falsely_separated, 0);
  EXPECT_EQ(separation("gnnml3", graphs, Pairing::kNeighbours, {.seeds = 3}).unseparated, 0);
}

TEST(Separation, WithoutCopiesFindsTheSamePairs) {
  const auto graphs = connected_graphs(6);
  for (const char* model : {"gcn", "ppgn", "graph-mlp(nodes=6, frame=identity)"}) {
    int64_t told = 0;
    const Separation both = separation(model, graphs, Pairing::kAll, {.seeds = 5});
    const Separation pairs =
        separation(model, graphs, Pairing::kAll,
                   {.seeds = 5, .false_seeds = 0, .progress = [&](int64_t done) { told = done; }});
    EXPECT_EQ(pairs.unseparated, both.unseparated) << model;
    EXPECT_EQ(pairs.falsely_separated, 0) << model;
    EXPECT_EQ(told, 5) << model;  // of ppgn nothing is left after the first
  }
}

TEST(Separation, ByPlacesOfNodesIsFalse) {
  const Separation identity = separation("graph-mlp(nodes=6, frame=identity)", connected_graphs(6),
                                         Pairing::kAll, {.seeds = 5});
  EXPECT_EQ(identity.unseparated, 0);
  EXPECT_GE(identity.falsely_separated, 100);  // of 112; few have no other order
}

}  // namespace
}  // namespace equiframe::experiments
