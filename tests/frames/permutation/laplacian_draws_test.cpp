#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/frames/permutation/graph_measures.h"
#include "tests/frames/permutation/graph_zoo.h"

namespace equiframe {
namespace {

using zoo::frame_of;
using zoo::kNode;
using zoo::kPair;

TEST(LaplacianDraws, LargeFramesAreDrawnFromAndSaySo) {
  const auto frame = frame_of("laplacian(draws=3)", zoo::pair_batch(zoo::graph(200, {})));
  EXPECT_FALSE(frame.is_exact());
  EXPECT_EQ(frame.size(), 3);
  EXPECT_NEAR(frame.log_size.item<double>(), std::lgamma(201.0), 1e-9);
  EXPECT_EQ(frame.stratum.item<int64_t>(), static_cast<int64_t>(Stratum::kIsotropic));
  for (int64_t k = 0; k < 3; ++k)
    EXPECT_TRUE(std::get<0>(frame.elements[0][k].sort()).equal(torch::arange(200)));
  EXPECT_FALSE(frame.elements[0][0].equal(frame.elements[0][1]));
}

/// 4800 items with names of their own, one draw each from the 24 orders of K4, and from the 4 of a
/// path whose two ends and two middle nodes tie.
TEST(LaplacianDraws, DrawsAreUniform) {
  const auto chi_square = [](const Tensor& adjacency, size_t orders) {
    const int64_t items = 4800, n = adjacency.size(0);
    Batch x(adjacency.view({1, n, n, 1}).repeat({items, 1, 1, 1}));
    x.id = torch::arange(items);
    const auto frame = frame_of("laplacian(max_elements=1)", x, kPair, Rng{17, 4});
    EXPECT_EQ(frame.size(), 1);
    std::map<std::vector<int64_t>, double> counts;
    for (int64_t b = 0; b < items; ++b) {
      const auto* row = frame.elements.data_ptr<int64_t>() + b * n;
      ++counts[{row, row + n}];
    }
    EXPECT_EQ(counts.size(), orders);
    const double expected = static_cast<double>(items) / static_cast<double>(orders);
    double sum = 0;
    for (const auto& [order, count] : counts) sum += std::pow(count - expected, 2) / expected;
    return sum;
  };
  EXPECT_LT(chi_square(zoo::complete(4), 24), 49.7);  // 23 degrees of freedom, p = 0.001
  EXPECT_LT(chi_square(zoo::path(4), 4), 16.3);       // 3 degrees of freedom
}

TEST(LaplacianDraws, DrawsFollowTheItemWhateverItsBatchAndPadding) {
  const int64_t n = 12;
  Batch batch;
  batch.x = torch::ones({3, n, 1});
  batch.pair = torch::zeros({3, n, n, 1}, torch::kFloat64);
  batch.mask = torch::ones({3, n}, torch::kBool);
  batch.pair[0].copy_(zoo::graph(n, {}).unsqueeze(-1));
  batch.pair[1].narrow(0, 0, 8).narrow(1, 0, 8).copy_(zoo::cube().unsqueeze(-1));
  batch.mask[1].narrow(0, 8, 4).fill_(false);
  batch.pair[2].copy_(zoo::complete(n).unsqueeze(-1));
  const std::string call = "laplacian(max_elements=5)";
  const Rng rng{3, 9};
  const auto together = frame_of(call, batch, kNode, rng);

  Batch alone;
  alone.x = torch::ones({1, 8, 1});
  alone.pair = zoo::cube().view({1, 8, 8, 1});
  const auto single = frame_of(call, alone, kNode, rng);
  EXPECT_TRUE(together.elements[1].narrow(1, 0, 8).equal(single.elements[0]));
  EXPECT_FALSE(single.elements.equal(frame_of(call, alone, kNode, Rng{3, 10}).elements));
  EXPECT_FALSE(single.elements.equal(frame_of(call, alone, kNode, Rng{4, 9}).elements));

  batch.id = torch::tensor({5, 6, 5});
  const auto named = frame_of(call, batch, kNode, rng);
  EXPECT_TRUE(named.elements[0].equal(named.elements[2]));  // same name, same cell, same draws
  EXPECT_FALSE(named.elements[0].equal(together.elements[0]));
}

/// A frame that remembers graphs answers as one that does not, also for graphs that differ in a
/// feature, a weight, or one edge only, and when its memory is full.
TEST(LaplacianDraws, RememberedGraphsAreTheSameGraphs) {
  const auto batch_of = [](const Tensor& adjacency, double feature) {
    Batch batch(torch::full({1, adjacency.size(0), 1}, feature, torch::kFloat64));
    batch.pair = adjacency.unsqueeze(0).unsqueeze(-1);
    return batch;
  };
  Tensor weighted = zoo::cycle(8) * 2, open = zoo::cycle(8);
  open[0][7] = open[7][0] = 0;
  std::vector<Batch> inputs;
  for (const Tensor& adjacency : {zoo::cycle(8), weighted, open, zoo::cube()})
    for (const double feature : {0.0, 1.0}) inputs.push_back(batch_of(adjacency, feature));
  const SymmetricGroup group(8);
  const auto remembers = make_frame("laplacian(max_elements=3)", group, kNode);
  const auto forgets = make_frame("laplacian(max_elements=3, memory=0)", group, kNode);
  for (int round = 0; round < 2; ++round)
    for (size_t k = 0; k < inputs.size(); ++k) {
      const Rng rng{7, static_cast<uint64_t>(round)};
      const auto a = (*remembers)(inputs[k], rng), b = (*forgets)(inputs[k], rng);
      EXPECT_TRUE(a.elements.equal(b.elements)) << round << " " << k;
      EXPECT_EQ(a.log_size.item<double>(), b.log_size.item<double>());
    }
  EXPECT_THROW(make_frame("laplacian(memory=-1)", group, kNode), UserError);
}

TEST(LaplacianDraws, ItemsOfDifferentSizeShareABatch) {
  Batch batch(torch::stack({zoo::path(5), zoo::star(5), zoo::complete(5)}).unsqueeze(-1));
  const auto frame = frame_of("laplacian(max_elements=30, draws=7)", batch);
  EXPECT_EQ(frame.size(), 24);
  EXPECT_TRUE((frame.weights > 0).sum(1).equal(torch::tensor({4, 24, 7})));
  EXPECT_LT((frame.weights.sum(1) - 1).abs().max().item<double>(), 1e-12);
  EXPECT_TRUE(frame.exact.equal(torch::tensor({true, true, false})));
  EXPECT_EQ(zoo::framed_set(SymmetricGroup(5), kPair, frame, batch, 0).size(), 2U);
}

TEST(LaplacianDraws, SampledTakesOneDrawFromIt) {
  const Batch x = zoo::pair_batch(zoo::cycle(10));
  const auto frame = frame_of("sampled(k=1, base=laplacian(max_elements=1))", x);
  EXPECT_EQ(frame.size(), 1);
  EXPECT_FALSE(frame.is_exact());
  EXPECT_NEAR(frame.log_size.item<double>(), std::lgamma(11.0), 1e-9);
}

}  // namespace
}  // namespace equiframe
