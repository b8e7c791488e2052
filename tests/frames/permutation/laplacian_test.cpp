#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "frames/permutation/graph_spectrum.h"
#include "tests/frames/permutation/graph_measures.h"
#include "tests/frames/permutation/graph_zoo.h"

namespace equiframe {
namespace {

using zoo::frame_of;
using zoo::frame_size;
using zoo::kNode;
using zoo::kPair;

std::vector<Tensor> assorted_graphs() {
  std::vector<Tensor> graphs;
  for (const auto& specimen : zoo::specimens()) graphs.push_back(specimen.adjacency);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const double density = 0.15 + 0.06 * static_cast<double>(seed);
    graphs.push_back(zoo::random_graph(8, density, seed));
  }
  return graphs;
}

/// How many of `relabellings` change the set of framed inputs (Definition 1.1, up to G_X).
int64_t broken_relabellings(const std::string& call, const Batch& x, const PermutationType& in,
                            int64_t relabellings, uint64_t seed) {
  const SymmetricGroup group(zoo::nodes_of(x));
  auto generator = make_generator(seed);
  const auto frame = make_frame(call, group, in);
  const auto reference = zoo::framed_set(group, in, (*frame)(x), x);
  const Tensor moves = group.sample(relabellings, generator);
  int64_t broken = 0;
  for (int64_t k = 0; k < relabellings; ++k) {
    const Batch moved = group.act(in, moves[k].unsqueeze(0), x);
    broken += zoo::same(zoo::framed_set(group, in, (*frame)(moved), moved), reference) ? 0 : 1;
  }
  return broken;
}

/// Small enough to compare element by element.
bool listable(const std::string& call, const Batch& x, const PermutationType& in = kPair) {
  return frame_size(call, x, in) < 200;
}

TEST(LaplacianFrame, FramedSetIsInvariantUnderRelabelling) {
  int64_t tested = 0;
  for (const std::string call : {"laplacian", "laplacian(refine=degree)", "laplacian(refine=wl)"}) {
    for (const Tensor& a : assorted_graphs()) {
      const Batch x = zoo::pair_batch(a);
      if (!listable(call, x)) continue;
      EXPECT_EQ(broken_relabellings(call, x, kPair, 4, 11), 0) << call << '\n' << a;
      ++tested;
    }
  }
  EXPECT_GT(tested, 40);
}

/// Where F(X) is too large to list, at least its size must not depend on the labels.
TEST(LaplacianFrame, SizeIsInvariantUnderRelabelling) {
  auto generator = make_generator(5);
  for (const Tensor& a : {zoo::petersen(), zoo::cube(), zoo::cycle(20), zoo::complete(30),
                          zoo::random_graph(40, 0.05, 3), zoo::random_graph(120, 0.02, 4)}) {
    const SymmetricGroup group(a.size(0));
    const Batch x = zoo::pair_batch(a);
    const double log_size = frame_of("laplacian", x).log_size.item<double>();
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Batch moved = group.act(kPair, group.sample(1, generator), x);
      EXPECT_NEAR(frame_of("laplacian", moved).log_size.item<double>(), log_size, 1e-9);
    }
  }
}

/// S1: eigenvalues compared by equality split eigenspaces at the whim of the solver.
TEST(LaplacianFrame, ComparingByEqualityBreaksTheLaw) {
  const Tensor two_hubs = zoo::graph(8, {{0, 2}, {0, 3}, {0, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 5}});
  int64_t broken = 0;
  for (const Tensor& a : {two_hubs, zoo::cycle(6), zoo::star(5)}) {
    const Batch x = zoo::pair_batch(a);
    ASSERT_EQ(broken_relabellings("laplacian", x, kPair, 10, 3), 0);
    broken += broken_relabellings("laplacian(tolerance=0)", x, kPair, 10, 3);
  }
  EXPECT_GT(broken, 0);
}

/// Two copies of a graph, weakly coupled: eigenvalues come in pairs just too far apart to be one
/// space, and rounding mixes their vectors. Automorphic nodes must tie all the same.
TEST(LaplacianFrame, NearlyTiedEigenvaluesDoNotSplitSymmetricNodes) {
  auto generator = make_generator(15);
  for (const Tensor& a : {zoo::cycle(5), zoo::star(5), zoo::petersen()}) {
    const int64_t n = 2 * a.size(0);
    const Tensor coupling = 8e-8 * torch::eye(a.size(0), torch::kFloat64);
    const Tensor both = torch::cat({torch::cat({a, coupling}, 1), torch::cat({coupling, a}, 1)});
    const SymmetricGroup group(n);
    const Batch x = zoo::pair_batch(both);
    const double log_size = frame_of("laplacian(max_elements=1)", x).log_size.item<double>();
    for (int repeat = 0; repeat < 40; ++repeat) {
      const Batch moved = group.act(kPair, group.sample(1, generator), x);
      const auto frame = frame_of("laplacian(max_elements=1)", moved);
      EXPECT_NEAR(frame.log_size.item<double>(), log_size, 1e-9);
    }
  }
}

/// T5: the sorting permutations themselves obey the right rule; as a left frame they fail.
TEST(LaplacianFrame, InverseElementsAreNotALeftFrame) {
  const SymmetricGroup group(8);
  auto generator = make_generator(6);
  const Batch x = zoo::pair_batch(zoo::random_graph(8, 0.5, 1));
  const Batch moved = group.act(kPair, group.sample(1, generator), x);
  const auto wrong = [&](const Batch& input) {
    auto frame = frame_of("laplacian", input);
    frame.elements = group.inverse(frame.elements);
    return zoo::framed_set(group, kPair, frame, input);
  };
  EXPECT_FALSE(zoo::same(wrong(x), wrong(moved)));
}

TEST(LaplacianFrame, OneColumnForEachDistinctEigenvalue) {
  for (const auto& specimen : zoo::specimens()) {
    const int64_t n = specimen.adjacency.size(0);
    const Graph graph = GraphBatch(zoo::pair_batch(specimen.adjacency), kPair, n, "test").item(0);
    const SpectralColumns columns = spectral_columns(graph, 1e-8);
    EXPECT_EQ(columns.count(), specimen.distinct_eigenvalues) << specimen.name;
    const Tensor s = torch::tensor(columns.values, torch::kFloat64).view({columns.count(), n});
    EXPECT_LT((s.sum(0) - 1).abs().max().item<double>(), 1e-13);  // the projectors sum to one
    EXPECT_LT((s.sum(1) - s.sum(1).round()).abs().max().item<double>(), 1e-12);  // their ranks
  }
}

/// A star: zero spectrum first (all equal), then eigenvalue 1, which vanishes at the hub.
TEST(LaplacianFrame, SortsRowsWithTheFirstColumnFirst) {
  const SymmetricGroup group(5);
  Batch x = zoo::pair_batch(zoo::star(5));
  x = group.act(kPair, torch::tensor({{3, 0, 1, 2, 4}}), x);
  const auto frame = frame_of("laplacian", x);
  EXPECT_EQ(frame.size(), 24);
  EXPECT_TRUE(frame.elements.select(2, 0).eq(3).all().item<bool>());
  EXPECT_EQ(frame.stratum.item<int64_t>(), static_cast<int64_t>(Stratum::kRepeated));
}

TEST(LaplacianFrame, ListsEveryOrderOfTheTieCellsOnce) {
  const auto frame = frame_of("laplacian", zoo::pair_batch(zoo::star(6)));
  std::map<std::vector<int64_t>, int> seen;
  for (int64_t k = 0; k < frame.size(); ++k) {
    const Tensor element = frame.elements[0][k].contiguous();
    ++seen[{element.data_ptr<int64_t>(), element.data_ptr<int64_t>() + 6}];
  }
  EXPECT_EQ(seen.size(), 120U);
  EXPECT_TRUE(frame.is_exact());
  EXPECT_NEAR(frame.weights.sum().item<double>(), 1, 1e-12);
}

TEST(LaplacianFrame, PaddingGoesLastAndAddsNothing) {
  const SymmetricGroup group(9);
  Batch batch;
  batch.x = torch::zeros({1, 9, 1}, torch::kFloat64);
  batch.pair = torch::zeros({1, 9, 9, 1}, torch::kFloat64);
  batch.mask = torch::zeros({1, 9}, torch::kBool);
  batch.mask[0].narrow(0, 0, 5).fill_(true);
  batch.x[0].narrow(0, 0, 5).copy_(torch::arange(5).unsqueeze(-1));
  batch.pair[0].narrow(0, 0, 5).narrow(1, 0, 5).copy_(zoo::path(5).unsqueeze(-1));
  EXPECT_NEAR(frame_size("laplacian", batch, kNode), 4, 1e-9);
  EXPECT_EQ(broken_relabellings("laplacian", batch, kNode, 10, 8), 0);

  auto generator = make_generator(9);
  const Batch moved = group.act(kNode, group.sample(1, generator), batch);
  const auto frame = frame_of("laplacian", moved, kNode);
  for (int64_t k = 0; k < frame.size(); ++k) {
    const Batch framed = group.act_inverse(kNode, frame.elements.select(1, k), moved);
    EXPECT_TRUE(framed.mask.equal(batch.mask));
  }
}

TEST(LaplacianFrame, SelfLoopsAndConstantScaleChangeNothing) {
  const Tensor a = zoo::random_graph(8, 0.4, 2);
  const auto plain = frame_of("laplacian", zoo::pair_batch(a));
  const Tensor loops = torch::diag(torch::arange(8, torch::kFloat64));
  EXPECT_TRUE(frame_of("laplacian", zoo::pair_batch(a + loops)).elements.equal(plain.elements));
  for (const double scale : {1e-150, 1e150})
    EXPECT_TRUE(frame_of("laplacian", zoo::pair_batch(a * scale)).elements.equal(plain.elements));
}

TEST(LaplacianFrame, WeightsOfEitherSignAndSeveralChannels) {
  auto generator = make_generator(12);
  const Tensor w = torch::randn({7, 7}, generator, torch::kFloat64);
  const Tensor a = (w + w.t()) * zoo::random_graph(7, 0.6, 8);
  EXPECT_EQ(broken_relabellings("laplacian", zoo::pair_batch(a), kPair, 10, 1), 0);
  Batch channels(torch::stack({a, zoo::cycle(7), -zoo::path(7)}, -1).unsqueeze(0));
  EXPECT_EQ(broken_relabellings("laplacian", channels, kPair, 10, 2), 0);
  const Tensor sum = a + zoo::cycle(7) - zoo::path(7);
  EXPECT_TRUE(frame_of("laplacian", channels)
                  .elements.equal(frame_of("laplacian", zoo::pair_batch(sum)).elements));
}

TEST(LaplacianFrame, SinglePrecisionInputIsSymmetricUpToItsRounding) {
  auto generator = make_generator(13);
  const Tensor w = torch::randn({6, 6}, generator, torch::kFloat32);
  const Tensor nearly = torch::matmul(w, w.t()) + 1e-7 * w;
  EXPECT_NO_THROW(frame_of("laplacian", zoo::pair_batch(nearly)));
  EXPECT_THROW(frame_of("laplacian", zoo::pair_batch(nearly.to(torch::kFloat64))), UserError);
}

TEST(LaplacianFrame, RefinementsShrinkTheFrameAndKeepTheLaw) {
  Batch x;
  x.x = torch::zeros({1, 6, 1}, torch::kFloat64);
  x.x[0][4][0] = 2;
  x.pair = zoo::cycle(6).view({1, 6, 6, 1});
  EXPECT_NEAR(frame_size("laplacian", x, kNode), 720, 1e-6);
  EXPECT_NEAR(frame_size("laplacian(refine=degree)", x, kNode), 720, 1e-6);
  EXPECT_NEAR(frame_size("laplacian(refine=wl)", x, kNode), 720, 1e-6);
  EXPECT_NEAR(frame_size("laplacian(refine=features)", x, kNode), 120, 1e-6);
  EXPECT_NEAR(frame_size("laplacian(refine=features+wl)", x, kNode), 4, 1e-9);  // 1, 2, 2, 1
  EXPECT_EQ(broken_relabellings("laplacian(refine=features+wl)", x, kNode, 10, 4), 0);
  const Tensor isolated = zoo::graph(5, {{0, 1}, {2, 3}});
  EXPECT_NEAR(frame_size("laplacian(refine=degree)", zoo::pair_batch(isolated)), 24, 1e-9);
}

TEST(LaplacianFrame, MarginTellsAmbiguousInputsFromClearOnes) {
  const auto margin = [](double weight) {
    Tensor a = zoo::path(4).clone();
    a[0][1] = a[1][0] = weight;
    return frame_of("laplacian", zoo::pair_batch(a)).margin.item<double>();
  };
  EXPECT_GT(margin(1), 0.99);
  EXPECT_GT(margin(1.5), 0.99);
  double smallest = 1;
  for (double excess = 1e-9; excess < 1e-6; excess *= 1.2)
    smallest = std::min(smallest, margin(1 + excess));
  EXPECT_LT(smallest, 0.2);
}

TEST(LaplacianFrame, SmallestGraphs) {
  EXPECT_TRUE(frame_of("laplacian", zoo::pair_batch(zoo::graph(1, {})))
                  .elements.equal(torch::zeros({1, 1, 1}, torch::kInt64)));
  Batch nothing;
  nothing.x = torch::zeros({1, 3, 1});
  nothing.pair = torch::zeros({1, 3, 3, 1});
  nothing.mask = torch::zeros({1, 3}, torch::kBool);
  const auto frame = frame_of("laplacian", nothing, kNode);
  EXPECT_TRUE(frame.elements.equal(torch::arange(3).view({1, 1, 3})));
  EXPECT_TRUE(frame.is_exact());
}

TEST(LaplacianFrame, RefusesWhatItCannotSort) {
  Tensor directed = zoo::cycle(4).clone();
  directed[0][1] = 0;
  EXPECT_THROW(frame_of("laplacian", zoo::pair_batch(directed)), UserError);
  EXPECT_THROW(frame_of("laplacian", zoo::pair_batch(zoo::cycle(4) * NAN)), UserError);
  EXPECT_THROW(frame_of("laplacian", Batch(torch::ones({1, 4, 2})), kNode), UserError);
  for (const std::string call : {"laplacian(refine=wll)", "laplacian(max_elements=0)",
                                 "laplacian(tolerance=2)", "laplacian(gradient=exact)"})
    EXPECT_THROW(frame_of(call, zoo::pair_batch(zoo::cycle(4))), UserError) << call;
}

}  // namespace
}  // namespace equiframe
