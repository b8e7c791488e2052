#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "tests/frames/permutation/graph_measures.h"
#include "tests/frames/permutation/graph_zoo.h"

namespace equiframe {
namespace {

using zoo::form_of;
using zoo::frame_of;
using zoo::kNode;
using zoo::kPair;
using zoo::nodes_of;

constexpr auto kSet = PermutationType::Kind::kSet;

TEST(CanonicalFrame, KeepsTheOrderOfTheCells) {
  const Batch form = form_of("canonical", zoo::pair_batch(zoo::star(6)));
  EXPECT_EQ(form.x[0][0].sum().item<double>(), 5);  // the Laplacian sort puts the hub first
  Batch featured;
  featured.x = torch::tensor({{{3.}, {1.}, {2.}, {1.}}});
  featured.pair = zoo::cycle(4).view({1, 4, 4, 1});
  const Tensor expected = torch::tensor({{{1.}, {1.}, {2.}, {3.}}});
  EXPECT_TRUE(form_of("canonical", featured, kNode).x.equal(expected));
}

/// Above 128 nodes twins are put together first; the framed graph still knows no labelling.
TEST(CanonicalFrame, OrdersLargeGraphsWithTwins) {
  const int64_t n = 140;
  Tensor a = torch::zeros({n, n}, torch::kFloat64);
  a.narrow(0, 0, 20).narrow(1, 0, 20).copy_(zoo::random_graph(20, 0.3, 7));
  for (int64_t i = 20; i < n; ++i) a[i][i % 7] = a[i % 7][i] = i % 3 == 0 ? 2.0 : 1.0;
  const Tensor order = torch::randperm(n, make_generator(3), torch::kInt64);
  const Tensor moved = a.index_select(0, order).index_select(1, order);
  EXPECT_TRUE(form_of("canonical", zoo::pair_batch(moved))
                  .x.equal(form_of("canonical", zoo::pair_batch(a)).x));
}

TEST(CanonicalFrame, SizeIsThatOfTheAutomorphismGroup) {
  for (const auto& specimen : zoo::specimens()) {
    const auto frame = frame_of("canonical", zoo::pair_batch(specimen.adjacency));
    EXPECT_NEAR(std::exp(frame.log_size.item<double>()), specimen.automorphisms, 1e-6);
    EXPECT_EQ(frame.size(), 1);
    EXPECT_TRUE(frame.is_exact());
    EXPECT_EQ(frame.stratum.item<int64_t>() == static_cast<int64_t>(Stratum::kSimple),
              specimen.automorphisms == 1)
        << specimen.name;
  }
}

/// Phi without any symmetry: one random matrix on the flattened input, [M, ...] -> [M, size].
Tensor lopsided(const Batch& framed, int64_t size) {
  Tensor flat = framed.x.flatten(1).to(torch::kFloat64);
  if (framed.pair.defined()) flat = torch::cat({flat, framed.pair.flatten(1)}, 1);
  auto generator = make_generator(77);
  return torch::tanh(flat.matmul(torch::randn({flat.size(1), size}, generator, torch::kFloat64)));
}

/// Eqs. 2 and 3 by a plain loop over elements, unbatched: f(X) for each item.
Tensor average(const std::string& call, const Batch& x, const PermutationType& in,
               const PermutationType& out) {
  const int64_t n = nodes_of(x), channels = 3;
  const SymmetricGroup group(n);
  const auto frame = frame_of(call, x, in);
  std::vector<int64_t> shape{1};
  for (int64_t axis = 0; axis < out.node_axes(); ++axis) shape.push_back(n);
  shape.push_back(channels);
  const int64_t size = channels * static_cast<int64_t>(std::pow(n, out.node_axes()));
  std::vector<Tensor> results;
  for (int64_t b = 0; b < frame.batch(); ++b) {
    Tensor total = torch::zeros(shape, torch::kFloat64);
    const Batch item = x.map([&](const Tensor& part) { return part.narrow(0, b, 1); });
    for (int64_t k = 0; k < frame.size(); ++k) {
      const double weight = frame.weights[b][k].item<double>();
      if (weight == 0) continue;
      const Tensor g = frame.elements[b][k].unsqueeze(0);
      Tensor y = lopsided(group.act_inverse(in, g, item), size).view(shape);
      if (frame.stabilizer) y = frame.stabilizer->apply(out, y, torch::tensor({b}));
      total = weight == 1 ? group.act(out, g, y) : total + weight * group.act(out, g, y);
    }
    results.push_back(total);
  }
  return torch::cat(results);
}

/// max |f(gX) - g f(X)| over a few g.
double equivariance_error(const std::string& call, const Batch& x, const PermutationType& in,
                          const PermutationType& out) {
  const SymmetricGroup group(nodes_of(x));
  auto generator = make_generator(41);
  const Tensor value = average(call, x, in, out);
  double error = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Tensor g = group.sample(1, generator);
    const Tensor moved = average(call, group.act(in, g, x), in, out);
    error = std::max(error, (moved - group.act(out, g, value)).abs().max().item<double>());
  }
  return error;
}

TEST(CanonicalFrame, EquivarianceErrorIsExactlyZero) {
  for (const auto& specimen : zoo::specimens())
    for (const PermutationType out :
         {PermutationType(kSet), PermutationType(kNode), PermutationType(kPair)})
      EXPECT_EQ(equivariance_error("canonical", zoo::pair_batch(specimen.adjacency), kPair, out), 0)
          << specimen.name << ", " << out.str();
}

/// The exactness does not rest on how the cells were decided.
TEST(CanonicalFrame, NoToleranceCanBreakTheEquivariance) {
  for (const std::string call : {"canonical(tolerance=0)", "canonical(tolerance=0.09)"})
    for (const Tensor& a : {zoo::cycle(7), zoo::star(6), zoo::two_triangles(), zoo::petersen()})
      EXPECT_EQ(equivariance_error(call, zoo::pair_batch(a), kPair, kNode), 0) << call;
}

TEST(CanonicalFrame, IgnoringTheStabiliserServesInvariantOutputsOnly) {
  const Batch x = zoo::pair_batch(zoo::cycle(7));
  EXPECT_EQ(equivariance_error("canonical(stabilizer=ignore)", x, kPair, kSet), 0);
  EXPECT_GT(equivariance_error("canonical(stabilizer=ignore)", x, kPair, kNode), 0.01);
  EXPECT_FALSE(frame_of("canonical(stabilizer=ignore)", x).is_exact());
  EXPECT_TRUE(frame_of("canonical(stabilizer=ignore)", zoo::pair_batch(zoo::frucht())).is_exact());
}

TEST(CanonicalFrame, ProjectionEqualsTheAverageOverTheListedCoset) {
  for (const auto& specimen : zoo::specimens()) {
    const Batch x = zoo::pair_batch(specimen.adjacency);
    for (const PermutationType out : {PermutationType(kNode), PermutationType(kPair)}) {
      const Tensor projected = average("canonical", x, kPair, out);
      const Tensor listed = average("canonical(stabilizer=list)", x, kPair, out);
      EXPECT_LT((projected - listed).abs().max().item<double>(), 1e-13)
          << specimen.name << ", " << out.str();
    }
  }
}

TEST(CanonicalFrame, ListedCosetsOfABatch) {
  const Batch x(torch::stack({zoo::path(5), zoo::cycle(5), zoo::star(5)}).unsqueeze(-1));
  const auto frame = frame_of("canonical(stabilizer=list)", x);
  EXPECT_EQ(frame.size(), 24);
  EXPECT_TRUE((frame.weights > 0).sum(1).equal(torch::tensor({2, 10, 24})));
  for (int64_t b = 0; b < 3; ++b)
    EXPECT_EQ(zoo::framed_set(SymmetricGroup(5), kPair, frame, x, b).size(), 1U);
  EXPECT_THROW(frame_of("canonical(stabilizer=list, max_elements=9)", x), UserError);
}

/// P is an orthogonal projection, so the gradient of <w, P y> is P w.
TEST(CanonicalFrame, ProjectionIsDifferentiable) {
  const auto frame = frame_of("canonical", zoo::pair_batch(zoo::star(6)));
  auto generator = make_generator(51);
  const Tensor y = torch::randn({1, 6, 2}, generator, torch::kFloat64).requires_grad_();
  const Tensor w = torch::randn({1, 6, 2}, generator, torch::kFloat64);
  const Tensor items = torch::zeros({1}, torch::kInt64);
  (frame.stabilizer->apply(kNode, y, items) * w).sum().backward();
  const Tensor expected = frame.stabilizer->apply(kNode, w, items);
  EXPECT_LT((y.grad() - expected).abs().max().item<double>(), 1e-14);
  EXPECT_GT((w - expected).abs().max().item<double>(), 0.1);
}

TEST(CanonicalFrame, SafeFromSeveralThreads) {
  const Batch x(
      torch::stack({zoo::petersen(), zoo::cycle(10), zoo::random_graph(10, 0.4, 1)}).unsqueeze(-1));
  const Tensor expected = frame_of("canonical", x).elements;
  std::vector<int64_t> wrong(4);
  std::vector<std::thread> threads;
  threads.reserve(wrong.size());
  for (int64_t& count : wrong)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat)
        count += frame_of("canonical", x).elements.equal(expected) ? 0 : 1;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int64_t>(4));
}

TEST(CanonicalFrame, RefusesWhatItCannotOrder) {
  EXPECT_THROW(frame_of("canonical", Batch(torch::ones({1, 4, 2})), kNode), UserError);
  EXPECT_THROW(frame_of("canonical", zoo::pair_batch(zoo::cycle(4) * NAN)), UserError);
  for (const std::string call : {"canonical(cells=spectral)", "canonical(stabilizer=none)",
                                 "canonical(gradient=exact)", "canonical(tolerance=-1)"})
    EXPECT_THROW(frame_of(call, zoo::pair_batch(zoo::cycle(4))), UserError) << call;
  const Tensor huge = torch::full({1, 2, 1}, (int64_t{1} << 53) + 1, torch::kInt64);
  Batch named(huge);
  named.pair = torch::ones({1, 2, 2, 1});
  EXPECT_THROW(frame_of("canonical", named, kNode), UserError);
}

}  // namespace
}  // namespace equiframe
