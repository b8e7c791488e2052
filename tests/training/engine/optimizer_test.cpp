#include "training/engine/optimizer.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace equiframe {
namespace {

struct Net : torch::nn::Module {
  Net() {
    a = register_module("a", torch::nn::Linear(5, 17));
    b = register_module("b", torch::nn::Linear(17, 3));
  }
  Tensor forward(const Tensor& x) { return b->forward(torch::tanh(a->forward(x))); }
  torch::nn::Linear a{nullptr}, b{nullptr};
};

/// Two nets with the same weights.
struct Twins {
  explicit Twins(c10::ScalarType type = torch::kFloat32) {
    torch::manual_seed(3);
    const torch::NoGradGuard no_grad;
    ours.to(type);
    theirs.to(type);
    for (size_t i = 0; i < ours.parameters().size(); ++i)
      theirs.parameters()[i].copy_(ours.parameters()[i]);
    x = torch::randn({32, 5}, type);
    y = torch::randn({32, 3}, type);
  }
  Tensor loss(Net& net) const { return (net.forward(x) - y).square().mean(); }
  double difference() const {
    double worst = 0;
    for (size_t i = 0; i < ours.parameters().size(); ++i)
      worst = std::max(worst,
                       (ours.parameters()[i] - theirs.parameters()[i]).abs().max().item<double>());
    return worst;
  }
  Net ours, theirs;
  Tensor x, y;
};

/// Rounding differs, and grows along the path in float32.
struct Walk {
  c10::ScalarType type;
  int64_t steps;
  double tolerance;
};
constexpr Walk kWalks[] = {{c10::ScalarType::Double, 200, 1e-12},
                           {c10::ScalarType::Float, 20, 1e-6}};

template <class Reference>
void expect_same_as(const AdamOptions& options, const Walk& walk, Reference make_reference) {
  Twins twins(walk.type);
  FlatParameters flat(twins.ours);
  Adam adam(flat, options);
  auto reference = make_reference(twins.theirs.parameters());
  for (int64_t step = 1; step <= walk.steps; ++step) {
    flat.clear_gradients();
    twins.loss(twins.ours).backward();
    adam.step(step, 1e-2);
    reference->zero_grad();
    twins.loss(twins.theirs).backward();
    reference->step();
  }
  EXPECT_LT(twins.difference(), walk.tolerance);
}

TEST(Adam, AgreesWithLibTorch) {
  for (const Walk& walk : kWalks) {
    expect_same_as({OptimizerKind::kAdam, 0.01}, walk, [](auto parameters) {
      return std::make_unique<torch::optim::Adam>(
          parameters, torch::optim::AdamOptions(1e-2).weight_decay(0.01));
    });
  }
}

TEST(Adam, DecoupledDecayAgreesWithLibTorch) {
  for (const Walk& walk : kWalks) {
    expect_same_as({OptimizerKind::kAdamW, 0.1}, walk, [](auto parameters) {
      return std::make_unique<torch::optim::AdamW>(
          parameters, torch::optim::AdamWOptions(1e-2).weight_decay(0.1));
    });
  }
}

TEST(FlatParameters, TheModuleSeesTheBuffer) {
  Twins twins;
  const Tensor before = twins.loss(twins.ours);
  FlatParameters flat(twins.ours);
  EXPECT_EQ(before.item<double>(), twins.loss(twins.ours).item<double>());
  const auto version = twins.ours.a->weight._version();
  const Tensor saved = flat.values().clone();
  flat.assign(torch::zeros_like(saved));
  EXPECT_EQ(twins.ours.a->weight.abs().max().item<double>(), 0);
  EXPECT_GT(twins.ours.a->weight._version(), version);
  flat.assign(saved);
  EXPECT_EQ(before.item<double>(), twins.loss(twins.ours).item<double>());
  for (const auto& part : flat.parts())
    EXPECT_EQ(reinterpret_cast<uintptr_t>(part.parameter.data_ptr()) % 64, 0U) << part.name;
}

TEST(FlatParameters, ClippingScalesTheWholeGradient) {
  Twins twins;
  FlatParameters flat(twins.ours);
  (100 * twins.loss(twins.ours)).backward();
  double sum = 0;
  for (const Tensor& p : twins.ours.parameters()) sum += p.grad().square().sum().item<double>();
  EXPECT_NEAR(flat.gradient_norm(), std::sqrt(sum), 1e-4 * std::sqrt(sum));
  flat.scale_gradients(1 / flat.gradient_norm());
  EXPECT_NEAR(flat.gradient_norm(), 1, 1e-5);
}

TEST(Average, FollowsTheRecurrence) {
  Tensor average = torch::zeros({3});
  const Tensor values = torch::tensor({1.0F, 2.0F, -3.0F});
  update_average(average, values, 0.999, 1);  // d = 2 / 11
  EXPECT_LT((average - values * (9.0 / 11)).abs().max().item<double>(), 1e-6);
  update_average(average, values, 0.5, 1000000);  // d = 0.5
  EXPECT_LT((average - values * (10.0 / 11)).abs().max().item<double>(), 1e-6);
}

}  // namespace
}  // namespace equiframe
