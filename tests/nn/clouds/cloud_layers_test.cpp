// Batch norm on rows, vector neurons and the leading axis against plain tensor operations.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/clouds/packed_points.h"
#include "nn/clouds/vector_neurons.h"
#include "nn/layers/leading_axis.h"
#include "tests/models/clouds.h"

namespace equiframe {
namespace {

/// Largest difference of values and of gradients of a random functional.
double difference(const Tensor& a, const Tensor& b, const std::vector<Tensor>& variables) {
  const Tensor weights = torch::randn_like(b);
  const auto ours = torch::autograd::grad({(a * weights).sum()}, variables);
  const auto theirs = torch::autograd::grad({(b * weights).sum()}, variables);
  double worst = (a - b).abs().max().item<double>();
  for (size_t k = 0; k < ours.size(); ++k)
    worst = std::max(worst, ((ours[k] - theirs[k]).norm() / (1 + theirs[k].norm())).item<double>());
  return worst;
}

TEST(RowNorm, IsBatchNormWithAnActivation) {
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    for (const double negative : {slope::kNone, slope::kRelu, slope::kLeaky}) {
      for (const bool training : {true, false}) {
        torch::manual_seed(1);
        RowNorm norm(37);
        norm.to(type);
        norm.train(training);
        {
          const torch::NoGradGuard guard;
          norm.weight.normal_();
          norm.bias.normal_();
          norm.running_mean.normal_();
        }
        const Tensor mean = norm.running_mean.clone(), variance = norm.running_variance.clone();
        const Tensor x = (5 + 2 * torch::randn({1031, 37}, type)).requires_grad_();
        const Tensor plain = torch::batch_norm(x, norm.weight, norm.bias, mean, variance, training,
                                               RowNorm::kMomentum, RowNorm::kEps, false);
        const Tensor a = norm.forward(x, negative), b = torch::leaky_relu(plain, negative);
        EXPECT_LT(difference(a, b, {x, norm.weight, norm.bias}),
                  type == torch::kFloat64 ? 1e-11 : 1e-4);
        EXPECT_TRUE(torch::allclose(norm.running_mean, mean, 1e-5, 1e-6));
        EXPECT_TRUE(torch::allclose(norm.running_variance, variance, 1e-5, 1e-6));
      }
    }
  }
}

TEST(RowNorm, UsesTheRunningMeansForASingleRow) {
  RowNorm norm(4);
  const Tensor x = torch::full({1, 4}, 3.0f);
  EXPECT_TRUE(torch::allclose(norm.forward(x, slope::kNone), x, 1e-4));
  EXPECT_EQ(norm.running_mean.abs().sum().item<double>(), 0);
}

TEST(RowNorm, KeepsTheDigitsOfAFarMean) {
  torch::manual_seed(2);
  RowNorm norm(8);
  const Tensor x = 300 + torch::randn({5000, 8});
  const Tensor y = norm.forward(x, slope::kNone);
  EXPECT_LT((y.std(0) - 1).abs().max().item<double>(), 1e-3);
  EXPECT_LT(y.mean(0).abs().max().item<double>(), 1e-3);
}

/// The equations of the block as ordinary operations.
Tensor plain_block(VectorBlock& block, const Tensor& both, double negative, bool training) {
  const auto p = block.named_parameters();
  const Tensor& weight = p["norm.weight"];
  const int64_t out = weight.size(0);
  const Tensor q = both.narrow(2, 0, out), d = both.narrow(2, out, both.size(2) - out);
  const Tensor n = q.square().sum(1).sqrt() + kVectorEps;
  const auto options = weight.options().requires_grad(false);
  const Tensor normed = torch::batch_norm(n, weight, p["norm.bias"], torch::zeros({out}, options),
                                          torch::ones({out}, options), training, 0.1, 1e-5, false);
  const Tensor v = q / n.unsqueeze(1) * normed.unsqueeze(1);
  const Tensor along = (v * d).sum(1, true);
  const Tensor back = v - along / (d.square().sum(1, true) + kVectorEps) * d;
  return negative * v + (1 - negative) * torch::where(along >= 0, v, back);
}

TEST(VectorBlock, IsThePublishedLayerInValueAndGradient) {
  using Directions = VectorBlock::Directions;
  for (const auto directions : {Directions::kOwn, Directions::kShared}) {
    for (const double negative : {slope::kRelu, slope::kLeaky}) {
      for (const bool training : {true, false}) {
        torch::manual_seed(4);
        VectorBlock block(5, 21, negative, directions);
        block.to(torch::kFloat64);
        block.train(training);
        const Tensor v = torch::randn({50, 3, 5}, torch::kFloat64).requires_grad_();
        std::vector<Tensor> variables = block.parameters();
        variables.push_back(v);
        const Tensor both = v.matmul(block.weights().t());
        EXPECT_LT(
            difference(block.forward(v), plain_block(block, both, negative, training), variables),
            1e-11);
      }
    }
  }
}

TEST(VectorBlock, SplitsItsInputExactly) {
  torch::manual_seed(5);
  Batch batch(torch::randn({2, 9, 3}, torch::kFloat64));
  batch.mask = torch::arange(9).lt(7).expand({2, 9}).contiguous();
  const PackedPoints rows(batch);
  VectorBlock block(6, 8, slope::kLeaky);
  block.to(torch::kFloat64);
  const Tensor v = torch::randn({14, 3, 4}, torch::kFloat64).requires_grad_();
  const Tensor shared = torch::randn({2, 3, 2}, torch::kFloat64).requires_grad_();
  const Tensor repeated = torch::cat({v, shared.repeat_interleave(7, 0)}, 2);
  EXPECT_LT(difference(block.forward(rows, v, shared), block.forward(repeated), {v, shared}),
            1e-11);

  VectorBlock edges(8, 8, slope::kLeaky);
  edges.to(torch::kFloat64);
  const Tensor neighbors = rows.nearest(v, 3);
  const Tensor other = v.index_select(0, neighbors.flatten()).view({14, 3, 3, 4});
  const Tensor own = v.unsqueeze(1).expand_as(other);
  const Tensor plain = edges.forward(torch::cat({other - own, own}, 3).flatten(0, 1));
  EXPECT_LT(difference(edges.forward_edges(v, neighbors).flatten(0, 1), plain, {v}), 1e-11);
}

TEST(VectorBlock, IsFiniteAtZero) {
  VectorBlock block(2, 3, slope::kRelu);
  block.eval();
  const Tensor v = torch::zeros({4, 3, 2}).requires_grad_();
  const Tensor y = block.forward(v);
  const auto d = torch::autograd::grad({y.sum()}, {v});
  EXPECT_EQ(y.abs().sum().item<double>(), 0);
  EXPECT_TRUE(d[0].isfinite().all().item<bool>());
}

TEST(LeadingAxis, HasTheDerivativeOfAnEigenvector) {
  torch::manual_seed(6);
  const Tensor root = torch::randn({20, 3, 3}, torch::kFloat64);
  const Tensor a = root.matmul(root.transpose(1, 2)).flatten(1).requires_grad_();
  const Tensor weights = torch::randn({20, 3}, torch::kFloat64);
  const Tensor axis = leading_axis(a);
  const auto value = [&](const Tensor& matrices) {
    const Tensor n = leading_axis(matrices);
    return (n * (n * axis.detach()).sum(1, true).sign() * weights).sum();
  };
  const auto d = torch::autograd::grad({value(a)}, {a})[0];
  const torch::NoGradGuard guard;
  const Tensor g = torch::randn({20, 3, 3}, torch::kFloat64);
  const Tensor step = 1e-6 * (g + g.transpose(1, 2)).flatten(1);
  const double numeric = ((value(a + step) - value(a - step)) / 2).item<double>();
  EXPECT_NEAR((d * step).sum().item<double>(), numeric, 1e-9);
  const Tensor turned = a.view({20, 3, 3}).bmm(axis.unsqueeze(2)).squeeze(2);
  EXPECT_LT((turned - axis * (turned * axis).sum(1, true)).abs().max().item<double>(), 1e-10);
}

TEST(LeadingAxis, HasAFiniteDerivativeWhereEigenvaluesTie) {
  const Tensor a = torch::eye(3).flatten().expand({2, 9}).clone().requires_grad_();
  const auto d = torch::autograd::grad({leading_axis(a).sum()}, {a})[0];
  EXPECT_TRUE(d.isfinite().all().item<bool>());
}

TEST(PackedPoints, FindNeighboursOfTheirOwnCloud) {
  Batch batch(clouds::random_clouds(2, 10));
  batch.mask = torch::arange(10).ge(3).expand({2, 10}).contiguous();
  const PackedPoints rows(batch);
  ASSERT_EQ(rows.size(), 14);
  const Tensor x = rows.pack(batch.x);
  const Tensor near = rows.nearest(x, 9);  // more than there are
  EXPECT_TRUE(torch::equal(near.select(1, 0), torch::arange(14)));
  EXPECT_TRUE((near.narrow(0, 0, 7) < 7).all().item<bool>());
  EXPECT_TRUE((near.narrow(0, 7, 7) >= 7).all().item<bool>());
  EXPECT_TRUE(torch::equal(rows.unpack(x).masked_select(batch.mask.unsqueeze(-1)),
                           batch.x.masked_select(batch.mask.unsqueeze(-1))));
}

}  // namespace
}  // namespace equiframe
