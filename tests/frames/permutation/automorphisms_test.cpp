#include "frames/permutation/labelling/automorphisms.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/frames/permutation/graph_measures.h"
#include "tests/frames/permutation/graph_zoo.h"

namespace equiframe {
namespace {

using zoo::kPair;

Automorphisms of(const Tensor& adjacency) {
  return automorphisms(zoo::pair_batch(adjacency), 0, kPair);
}

double order(const Automorphisms& group) {
  return std::exp(group.log_order);
}

TEST(Automorphisms, OrdersOfKnownGraphs) {
  for (const auto& specimen : zoo::specimens())
    EXPECT_NEAR(order(of(specimen.adjacency)), specimen.automorphisms,
                1e-9 * specimen.automorphisms)
        << specimen.name;
}

TEST(Automorphisms, GeneratorsFixTheGraphAndGenerateAllOfTheGroup) {
  for (const auto& specimen : zoo::specimens()) {
    const int64_t n = specimen.adjacency.size(0);
    const SymmetricGroup group(n);
    const Automorphisms found = of(specimen.adjacency);
    const Tensor all = found.elements();
    ASSERT_EQ(all.size(0), static_cast<int64_t>(specimen.automorphisms)) << specimen.name;
    EXPECT_TRUE(all[0].equal(group.identity()));
    std::set<std::vector<int64_t>> distinct;
    for (int64_t k = 0; k < all.size(0); ++k) {
      const Tensor moved = group.act(kPair, all[k], specimen.adjacency.unsqueeze(-1));
      EXPECT_TRUE(moved.equal(specimen.adjacency.unsqueeze(-1))) << specimen.name;
      distinct.emplace(all[k].data_ptr<int64_t>(), all[k].data_ptr<int64_t>() + n);
    }
    EXPECT_EQ(static_cast<int64_t>(distinct.size()), all.size(0)) << specimen.name;
  }
}

TEST(Automorphisms, OrdersAgreeWithBruteForce) {
  const SymmetricGroup group(6);
  const Tensor everything = group.elements();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor a = zoo::random_graph(6, 0.5, seed).unsqueeze(-1);
    const Tensor images = group.act(kPair, everything, a.expand({everything.size(0), 6, 6, 1}));
    const auto fixed = (images == a).flatten(1).all(1).sum().item<int64_t>();
    EXPECT_NEAR(order(of(a.squeeze(-1))), static_cast<double>(fixed), 1e-9) << seed;
  }
}

TEST(Automorphisms, NodeOrbits) {
  EXPECT_TRUE(of(zoo::path(5)).node_orbits.equal(torch::tensor({0, 1, 2, 1, 0})));
  EXPECT_TRUE(of(zoo::star(5)).node_orbits.equal(torch::tensor({0, 1, 1, 1, 1})));
  EXPECT_TRUE(of(zoo::frucht()).node_orbits.equal(torch::arange(12)));
}

/// T7: the stabiliser of (Y, A), not of A alone; features, weights, edge values, directions and
/// self-loops all count.
TEST(Automorphisms, EverythingThatMovesBreaksSymmetry) {
  const int64_t n = 6;
  Batch plain;
  plain.x = torch::ones({1, n, 2});
  plain.pair = zoo::cycle(n).view({1, n, n, 1}).clone();
  EXPECT_NEAR(order(automorphisms(plain, 0)), 12, 1e-9);

  Batch featured = plain;
  featured.x = plain.x.clone();
  featured.x[0][2][1] = 5;
  EXPECT_NEAR(order(automorphisms(featured, 0)), 2, 1e-9);

  Batch weighted = plain;
  weighted.weights = torch::tensor({{1., 1., 2., 1., 1., 2.}});
  EXPECT_NEAR(order(automorphisms(weighted, 0)), 4, 1e-9);

  Batch looped = plain;
  looped.pair = plain.pair.clone();
  looped.pair[0][3][3][0] = 1;
  EXPECT_NEAR(order(automorphisms(looped, 0)), 2, 1e-9);

  Batch directed = plain;
  directed.pair = plain.pair.clone();
  for (int64_t i = 0; i < n; ++i) directed.pair[0][(i + 1) % n][i][0] = 0;
  EXPECT_NEAR(order(automorphisms(directed, 0)), n, 1e-9);

  Batch valued = plain;  // a, b, c, a, b, c around the cycle: rotations by three places only
  valued.pair = plain.pair.clone();
  for (int64_t i = 0; i < n; ++i)
    valued.pair[0][i][(i + 1) % n][0] = valued.pair[0][(i + 1) % n][i][0] =
        0.1 * static_cast<double>(1 + i % 3);
  EXPECT_NEAR(order(automorphisms(valued, 0)), 2, 1e-9);
}

TEST(Automorphisms, ManyEdgeClassesKeepTheSymmetriesTheyHave) {
  const int64_t n = 9;  // circulant: the value of (i, j) depends on |i - j| mod n only
  const Tensor steps = (torch::arange(n).unsqueeze(0) - torch::arange(n).unsqueeze(1)).remainder(n);
  const Tensor circulant = torch::minimum(steps, n - steps).to(torch::kFloat64);
  EXPECT_NEAR(order(of(circulant)), 2 * n, 1e-9);
  EXPECT_NEAR(order(of(steps.to(torch::kFloat64))), n, 1e-9);  // directed: rotations only
}

TEST(Automorphisms, PaddingStaysInPlace) {
  Batch batch;
  batch.x = torch::zeros({1, 6, 1});
  batch.pair = torch::zeros({1, 6, 6, 1});
  batch.mask = torch::tensor({{true, false, true, true, false, false}});
  for (const int64_t i : {0, 2, 3})
    for (const int64_t j : {0, 2, 3})
      if (i != j) batch.pair[0][i][j][0] = 1;
  const Automorphisms found = automorphisms(batch, 0);
  EXPECT_NEAR(order(found), 6, 1e-9);
  EXPECT_TRUE(found.node_orbits.equal(torch::tensor({0, 1, 0, 0, 4, 5})));
}

/// 150 nodes: triples of twins on a ring of 40, 10 more joined to each other only, and 20 alone.
/// By the twins the group is known, and it is found without a level of search for each of them.
TEST(Automorphisms, TwinsOfLargeGraphsAreFoundTogether) {
  const int64_t n = 150, ring = 40;
  Batch batch(torch::ones({1, n, 1}));
  batch.pair = torch::zeros({1, n, n, 1});
  const auto join = [&](int64_t i, int64_t j) {
    batch.pair[0][i][j][0] = batch.pair[0][j][i][0] = 1;
  };
  for (int64_t i = 0; i < 3 * ring; ++i)
    for (int64_t j = 0; j < 3; ++j) join(i, (i / 3 + 1) % ring * 3 + j);
  for (int64_t i = 120; i < 130; ++i)
    for (int64_t j = 120; j < i; ++j) join(i, j);
  const Automorphisms found = automorphisms(batch, 0);
  const double log_order =
      40 * std::log(6.0) + std::log(2.0 * ring) + std::lgamma(11.0) + std::lgamma(21.0);
  EXPECT_NEAR(found.log_order, log_order, 1e-6);
  Tensor orbits = torch::zeros({n}, torch::kInt64);
  orbits.narrow(0, 120, 10).fill_(120);
  orbits.narrow(0, 130, 20).fill_(130);
  EXPECT_TRUE(found.node_orbits.equal(orbits));
  const SymmetricGroup group(n);
  for (int64_t k = 0; k < found.generators.size(0); ++k)
    EXPECT_TRUE(group.act(kPair, found.generators[k], batch.pair[0]).equal(batch.pair[0])) << k;
}

/// All of a thousand nodes alike: a search for each of them took seconds.
TEST(Automorphisms, AThousandNodesAlike) {
  EXPECT_NEAR(of(torch::zeros({1000, 1000}, torch::kFloat64)).log_order, std::lgamma(1001.0), 1e-6);
  EXPECT_NEAR(of(zoo::complete(1000)).log_order, std::lgamma(1001.0), 1e-6);
}

TEST(Automorphisms, TooManyToListIsRefused) {
  const Automorphisms found = of(zoo::complete(12));
  EXPECT_NEAR(found.log_order, std::lgamma(13.0), 1e-6);
  EXPECT_THROW(found.elements(), UserError);
  EXPECT_THROW(of(zoo::cube()).elements(47), UserError);
  EXPECT_EQ(of(zoo::cube()).elements(48).size(0), 48);
}

/// Theorem 3: |G_X| divides |F(X)|.
TEST(Automorphisms, OrderDividesTheSizeOfTheFrame) {
  std::vector<Tensor> graphs;
  for (const auto& specimen : zoo::specimens()) graphs.push_back(specimen.adjacency);
  for (uint64_t seed = 0; seed < 40; ++seed)
    graphs.push_back(zoo::random_graph(7, 0.2 + 0.01 * static_cast<double>(seed), seed));
  for (const Tensor& a : graphs) {
    const auto frame = zoo::frame_of("laplacian(max_elements=1)", zoo::pair_batch(a));
    const double classes = std::exp(frame.log_size.item<double>() - of(a).log_order);
    EXPECT_NEAR(classes, std::round(classes), 1e-6 * classes) << a;
    EXPECT_GE(std::round(classes), 1);
  }
}

}  // namespace
}  // namespace equiframe
