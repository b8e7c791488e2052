#include "nn/layers/perceptron.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "tests/models/relative_error.h"

namespace equiframe {
namespace {

using test_support::relative;

/// Values and all gradients of `forward` are those of `plain`.
void expect_plain(Perceptron& p, const Tensor& x, double tolerance) {
  const Tensor a = p.forward(x), b = p.plain(x), w = torch::randn_like(a);
  EXPECT_LT(relative(a, b), tolerance);
  std::vector<Tensor> inputs{x};
  for (const Tensor& parameter : p.parameters()) inputs.push_back(parameter);
  const auto ga = torch::autograd::grad({(a * w).sum()}, inputs);
  const auto gb = torch::autograd::grad({(b * w).sum()}, inputs);
  for (size_t k = 0; k < inputs.size(); ++k) EXPECT_LT(relative(ga[k], gb[k]), tolerance) << k;
}

using Activation = Perceptron::Activation;

class Perceptrons : public testing::TestWithParam<Activation> {};

TEST_P(Perceptrons, EqualTheirEquationsInValueAndGradient) {
  torch::manual_seed(1);
  const std::vector<std::vector<int64_t>> shapes{{6, 60}, {60, 60, 3}, {8, 64, 64, 11}, {1, 5, 1}};
  for (const auto& widths : shapes) {
    for (const auto type : {torch::kFloat64, torch::kFloat32}) {
      for (const auto bias : {Perceptron::LastBias::kNo, Perceptron::LastBias::kYes}) {
        Perceptron p(widths, bias, GetParam());
        p.to(type);
        const Tensor x = torch::randn({5, 100, widths[0]}, type).requires_grad_();
        expect_plain(p, x, type == torch::kFloat64 ? 1e-12 : 1e-5);
      }
    }
  }
}

TEST_P(Perceptrons, KeepLargeArgumentsFiniteAndPassNanOn) {
  torch::manual_seed(3);
  Perceptron p({1, 4, 1}, Perceptron::LastBias::kYes, GetParam());
  torch::NoGradGuard guard;
  for (const double value : {1e4, -1e4, 1e30, -1e30}) {
    const Tensor x = torch::full({1, 1}, value);
    EXPECT_TRUE(p.forward(x).isfinite().all().item<bool>()) << value;
    EXPECT_LT(relative(p.forward(x), p.plain(x)), 1e-5) << value;
  }
  EXPECT_TRUE(p.forward(torch::full({1, 1}, NAN)).isnan().all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(OfBothKinds, Perceptrons,
                         testing::Values(Activation::kSilu, Activation::kRelu),
                         [](const auto& about) {
                           return about.param == Activation::kSilu ? "Silu" : "Relu";
                         });

/// A hidden unit that is off passes nothing on, neither forward nor back; so does one at zero.
TEST(Perceptron, ReluCutsOffWhatIsNotPositive) {
  Perceptron p({1, 3, 1}, Perceptron::LastBias::kNo, Activation::kRelu);
  {
    const torch::NoGradGuard no_grad;
    p.first()->weight.copy_(torch::tensor({{1.0F}, {-1.0F}, {0.0F}}));
    p.first()->bias.copy_(torch::tensor({0.5F, 0.5F, 0.0F}));
    p.last()->weight.copy_(torch::tensor({{2.0F, 3.0F, 5.0F}}));
  }
  const Tensor x = torch::tensor({{1.0F}, {0.0F}, {-2.0F}}).requires_grad_();
  const Tensor y = p.forward(x);
  EXPECT_TRUE(y.equal(torch::tensor({{3.0F}, {2.5F}, {7.5F}})));
  const auto g = torch::autograd::grad({y.sum()}, {x, p.first()->weight, p.first()->bias});
  EXPECT_TRUE(g[0].equal(torch::tensor({{2.0F}, {-1.0F}, {-3.0F}})));
  EXPECT_TRUE(g[1].equal(torch::tensor({{2.0F}, {-6.0F}, {0.0F}})));
  EXPECT_TRUE(g[2].equal(torch::tensor({4.0F, 6.0F, 0.0F})));
}

TEST(Perceptron, ComputesInTheTypeOfItsInput) {
  torch::manual_seed(2);
  Perceptron p({3, 8, 2});
  const Tensor x = torch::randn({4, 3}, torch::kFloat64);
  const Tensor y = p.forward(x);
  EXPECT_EQ(y.scalar_type(), torch::kFloat64);
  p.to(torch::kFloat64);
  EXPECT_LT(relative(y, p.plain(x)), 1e-14);
}

TEST(Perceptron, TakesNoRows) {
  Perceptron p({3, 8, 2});
  EXPECT_EQ(p.forward(torch::zeros({2, 0, 3})).sizes(), (std::vector<int64_t>{2, 0, 2}));
}

}  // namespace
}  // namespace equiframe
