#include "nn/clouds/edge_convolution.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace equiframe {
namespace {

/// The published form: the features of all edges side by side, ordinary layers, a pool.
Tensor plain(const torch::OrderedDict<std::string, Tensor>& p, const Tensor& x,
             const Tensor& neighbors, Pool pool, bool training) {
  const int64_t k = neighbors.size(1);
  const Tensor other = x.index_select(0, neighbors.flatten()).view({-1, k, x.size(1)});
  const Tensor own = x.unsqueeze(1).expand_as(other);
  Tensor h = torch::cat({other - own, own}, 2).flatten(0, 1);
  for (const std::string layer : {"first", "second"}) {
    if (!p.contains(layer + ".weight")) continue;
    const Tensor& weight = p[layer + ".weight"];
    const auto options = weight.options().requires_grad(false);
    h = torch::leaky_relu(
        torch::batch_norm(h.mm(weight.t()), p[layer + "_norm.weight"], p[layer + "_norm.bias"],
                          torch::zeros({weight.size(0)}, options),
                          torch::ones({weight.size(0)}, options), training, 0.1, 1e-5, false),
        0.2);
  }
  h = h.view({-1, k, h.size(1)});
  return pool == Pool::kMax ? std::get<0>(h.max(1)) : h.mean(1);
}

struct EdgeSetting {
  std::vector<int64_t> widths;
  Pool pool;
  bool training;
};

class EdgeConvolutions : public testing::TestWithParam<EdgeSetting> {};

TEST_P(EdgeConvolutions, AreThePublishedOnesInValueAndGradient) {
  const auto& [widths, pool, training] = GetParam();
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    torch::manual_seed(2);
    Batch batch(torch::randn({3, 17, widths[0]}, type));
    batch.mask = torch::ones({3, 17}, torch::kBool);
    batch.mask[1].narrow(0, 4, 6).fill_(false);
    const PackedPoints rows(batch);
    const Tensor x = rows.pack(batch.x).requires_grad_();
    const Tensor neighbors = rows.nearest(x, 7);
    EdgeConvolution layer(widths, pool);
    layer.to(type);
    layer.train(training);
    const auto parameters = layer.named_parameters();
    {
      const torch::NoGradGuard guard;
      for (const auto& p : parameters)
        if (p.key().find("norm") != std::string::npos) p.value().normal_();  // both signs
    }
    std::vector<Tensor> variables = layer.parameters();
    variables.push_back(x);
    const Tensor a = layer.forward(rows, x, neighbors);
    const Tensor b = plain(parameters, x, neighbors, pool, training);
    const Tensor weights = torch::randn_like(b);
    const auto ours = torch::autograd::grad({(a * weights).sum()}, variables);
    const auto theirs = torch::autograd::grad({(b * weights).sum()}, variables);
    const double tolerance = type == torch::kFloat64 ? 1e-12 : 2e-5;
    EXPECT_LT(((a - b).norm() / b.norm()).item<double>(), tolerance);
    for (size_t k = 0; k < ours.size(); ++k)
      EXPECT_LT((ours[k] - theirs[k]).norm().item<double>(),
                10 * tolerance * (1 + theirs[k].norm().item<double>()))
          << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EdgeConvolutions,
                         testing::Values(EdgeSetting{{3, 16, 32}, Pool::kMax, true},
                                         EdgeSetting{{3, 16, 32}, Pool::kMax, false},
                                         EdgeSetting{{3, 16, 32}, Pool::kMean, true},
                                         EdgeSetting{{3, 16, 32}, Pool::kMean, false},
                                         EdgeSetting{{5, 64, 64}, Pool::kMean, true},
                                         EdgeSetting{{4, 32}, Pool::kMax, true},
                                         EdgeSetting{{4, 32}, Pool::kMax, false},
                                         EdgeSetting{{4, 32}, Pool::kMean, true},
                                         EdgeSetting{{4, 32}, Pool::kMean, false}));

TEST(EdgeConvolution, RemembersTheStatisticsOfEdges) {
  torch::manual_seed(3);
  const Batch batch(torch::randn({2, 30, 3}, torch::kFloat64));
  const PackedPoints rows(batch);
  const Tensor x = rows.pack(batch.x);
  EdgeConvolution layer({3, 16, 16}, Pool::kMax);
  layer.to(torch::kFloat64);
  const Tensor neighbors = rows.nearest(x, 5);
  for (int k = 0; k < 200; ++k) layer.forward(rows, x, neighbors);
  const Tensor trained = layer.forward(rows, x, neighbors);
  layer.eval();
  const Tensor evaluated = layer.forward(rows, x, neighbors);
  EXPECT_LT(((trained - evaluated).norm() / trained.norm()).item<double>(), 0.01);
}

TEST(EdgeConvolution, HasNoSecondDerivative) {
  const Batch batch(torch::randn({2, 9, 3}));
  const PackedPoints rows(batch);
  const Tensor x = rows.pack(batch.x).requires_grad_();
  EdgeConvolution layer({3, 16}, Pool::kMax);
  const Tensor y = layer.forward(rows, x, rows.nearest(x, 3)).sum();
  EXPECT_THROW(torch::autograd::grad({y}, {x}, {}, true, /*create_graph=*/true), c10::Error);
}

}  // namespace
}  // namespace equiframe
