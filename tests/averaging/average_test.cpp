#include "equiframe/averaging/average.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/generic.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/laws/laws.h"
#include "equiframe/laws/zoo.h"
#include "tests/support/euclidean.h"

namespace equiframe {
namespace {

using test_support::kE3;

Symmetry<EuclideanGroup> symmetry(const char* in, const char* out) {
  return {kE3, kE3.type(in), kE3.type(out)};
}

Tensor clouds(int64_t b, int64_t n, int64_t c, uint64_t seed = 1) {
  auto generator = make_generator(seed);
  return torch::randn({b, n, c}, generator, torch::kFloat64);
}

/// Eq. 3 as a plain loop over items and elements, matrices written out: the independent oracle.
Tensor loop_average(const FrameSet<EuclideanGroup>& frame, const laws::RandomMlp& phi,
                    const Tensor& x) {
  std::vector<Tensor> items;
  for (int64_t b = 0; b < x.size(0); ++b) {
    Tensor sum = torch::zeros({x.size(1), 3}, torch::kFloat64);
    for (int64_t k = 0; k < frame.size(); ++k) {
      const double w = frame.weights[b][k].item<double>();
      if (w == 0) continue;
      const Tensor r = frame.elements.linear[b][k], t = frame.elements.shift[b][k];
      const Tensor framed = (x[b] - t).matmul(r);  // rho(g)^-1 X = (X - 1 t^T) R
      sum = sum + w * (phi(framed.unsqueeze(0))[0].matmul(r.t()) + t);
    }
    items.push_back(sum);
  }
  return torch::stack(items);
}

TEST(EquivariantAverage, EqualsThePlainLoop) {
  const Tensor x = clouds(3, 8, 3);
  auto generator = make_generator(2);
  const laws::RandomMlp phi(24, {8, 3}, generator);
  const auto type = symmetry("point", "point");
  for (const char* call : {"pca", "minimal", "identity"}) {
    const auto frame = (*make_frame(call, kE3, type.in))(x);
    const Tensor error = equivariant_average(type, frame, phi, x) - loop_average(frame, phi, x);
    EXPECT_LT(error.abs().max().item<double>(), 1e-13) << call;
  }
}

/// Items with frames of different sizes: padding costs no evaluation and leaks nothing.
TEST(EquivariantAverage, PaddingIsNeverEvaluated) {
  Tensor x = clouds(2, 8, 3);
  x[0] = laws::symmetric_clouds(3)[1].points;
  const auto type = symmetry("point", "point");
  const auto frame = (*make_frame("minimal", kE3, type.in))(x);
  auto generator = make_generator(3);
  const laws::RandomMlp phi(24, {8, 3}, generator);
  int64_t evaluated = 0;
  const auto counting = [&](const Batch& batch) {
    evaluated += batch.size();
    return phi(batch);
  };
  const Tensor y = equivariant_average(type, frame, counting, x);
  EXPECT_EQ(evaluated, 48 + 1);
  EXPECT_LT((y - loop_average(frame, phi, x)).abs().max().item<double>(), 1e-13);
}

TEST(EquivariantAverage, ChunksRespectTheCapAndChangeNothing) {
  const Tensor x = clouds(3, 8, 3);
  const auto type = symmetry("point", "point");
  const auto frame = (*make_frame("pca", kE3, type.in))(x);
  auto generator = make_generator(4);
  const laws::RandomMlp phi(24, {8, 3}, generator);
  int64_t largest = 0, calls = 0;
  const auto watched = [&](const Batch& batch) {
    largest = std::max(largest, static_cast<int64_t>(batch.x.nbytes()));
    ++calls;
    return phi(batch);
  };
  const Tensor whole = equivariant_average(type, frame, phi, x);
  const Tensor chunked = equivariant_average(type, frame, watched, x, {.max_bytes = 1000});
  EXPECT_LE(largest, 1000);
  EXPECT_EQ(calls, 5);  // 24 rows of 192 bytes, 5 rows at a time
  EXPECT_LT((chunked - whole).abs().max().item<double>(), 1e-14);
}

/// F09: an invariant average is the equivariant one with trivial rho_2.
TEST(EquivariantAverage, InvariantIsEquivariantWithScalars) {
  const Tensor x = clouds(3, 8, 3);
  const auto type = symmetry("point", "2 scalar");
  const auto frame = (*make_frame("pca", kE3, type.in))(x);
  auto generator = make_generator(5);
  const laws::RandomMlp phi(24, {2}, generator);
  const FrameRows<EuclideanGroup> rows(frame);
  const Tensor y = phi(kE3.act_inverse(type.in, rows.elements, rows.copies(x)));  // Eq. 2 by hand
  EXPECT_LT((equivariant_average(type, frame, phi, x) - y.view({3, 8, 2}).mean(1))
                .abs()
                .max()
                .item<double>(),
            1e-14);
}

/// F01: group averaging over a finite group is averaging over the trivial frame.
TEST(EquivariantAverage, OverTheTrivialFrameIsGroupAveraging) {
  const PlanarGroup d4 = PlanarGroup::D(4);
  const Symmetry<PlanarGroup> type{d4, d4.type("vector"), d4.type("vector")};
  const Tensor x = clouds(2, 5, 2);
  auto generator = make_generator(6);
  const laws::RandomMlp phi(10, {5, 2}, generator);
  Tensor sum = torch::zeros_like(x);
  for (int64_t k = 0; k < 8; ++k) {
    const Tensor r = d4.matrix(torch::tensor(k, torch::kInt64));
    sum += phi(Batch(x.matmul(r))).matmul(r.t()) / 8;
  }
  const Tensor averaged = equivariant_average(type, WholeFrame<PlanarGroup>(d4, 0)(x), phi, x);
  EXPECT_LT((averaged - sum).abs().max().item<double>(), 1e-14);
}

/// I26: E(d) acts on graphs (Y, A) through Y alone; the pair part reaches the backbone untouched.
TEST(EquivariantAverage, PairFeaturesPassThrough) {
  Batch graph(clouds(2, 5, 3));
  graph.pair = clouds(2, 5, 5, 7).unsqueeze(-1);
  graph.mask = torch::ones({2, 5}, torch::kBool);
  const auto type = symmetry("point", "vector");
  const auto frame = (*make_frame("pca", kE3, type.in))(graph);
  const auto phi = [&](const Batch& framed) {
    EXPECT_EQ(framed.pair.sizes(), (at::IntArrayRef{16, 5, 5, 1}));
    EXPECT_TRUE(framed.pair[8].equal(graph.pair[1]));
    EXPECT_EQ(framed.mask.size(0), 16);
    return framed.pair.squeeze(-1).matmul(framed.x);
  };
  // A linear map of centred positions commutes with rotations: averaging leaves A (Y - c).
  const Tensor centred = graph.x - graph.x.mean(1, /*keepdim=*/true);
  EXPECT_LT((equivariant_average(type, frame, phi, graph) - graph.pair.squeeze(-1).matmul(centred))
                .abs()
                .max()
                .item<double>(),
            1e-12);
}

TEST(EquivariantAverage, RightFramesAreMirrored) {
  const Tensor x = clouds(2, 8, 3);
  const auto type = symmetry("point", "point");
  const auto left = (*make_frame("pca", kE3, type.in))(x);
  auto generator = make_generator(8);
  const laws::RandomMlp phi(24, {8, 3}, generator);
  const Tensor expected = equivariant_average(type, left, phi, x);
  const auto right = flip_side(kE3, left);
  EXPECT_LT((right_average(type, right, phi, x) - expected).abs().max().item<double>(), 1e-12);
  EXPECT_GT((equivariant_average(type, right, phi, x) - expected).abs().max().item<double>(), 1e-2)
      << "the two conventions cannot be told apart";
}

TEST(EquivariantAverage, SaysWhenTheBackboneReturnsTheWrongShape) {
  const Tensor x = clouds(2, 8, 3);
  const auto type = symmetry("point", "vector");
  const auto frame = (*make_frame("pca", kE3, type.in))(x);
  EXPECT_THROW(equivariant_average(
                   type, frame, [](const Tensor& f) { return f.sum(0); }, x),
               c10::Error);
  EXPECT_THROW(equivariant_average(
                   type, frame, [](const Tensor& f) { return f.narrow(2, 0, 2); }, x),
               UserError);
}

TEST(EquivariantAverage, GradientsReachTheBackboneUnchanged) {
  const Tensor x = clouds(2, 8, 3);
  const auto type = symmetry("point", "vector");
  const auto frame = (*make_frame("pca", kE3, type.in))(x);
  Tensor weight = clouds(1, 3, 3, 9)[0].requires_grad_(true);
  const auto phi = [&](const Tensor& framed) { return torch::tanh(framed.matmul(weight)); };
  const Tensor loss = equivariant_average(type, frame, phi, x).square().sum();
  loss.backward();
  const Tensor analytic = weight.grad().clone();
  const torch::NoGradGuard guard;
  for (const auto& entry : {std::pair{0, 0}, {1, 2}, {2, 1}}) {
    const int i = entry.first, j = entry.second;
    const auto at = [&](double step) {
      weight[i][j] += step;
      const double value = equivariant_average(type, frame, phi, x).square().sum().item<double>();
      weight[i][j] -= step;
      return value;
    };
    EXPECT_NEAR(analytic[i][j].item<double>(), (at(1e-6) - at(-1e-6)) / 2e-6, 1e-6);
  }
}

}  // namespace
}  // namespace equiframe
