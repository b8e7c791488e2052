#include <vector>

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "equiframe/groups/euclidean.h"

namespace equiframe {
namespace {

/// R x + t in the field type "2 point + scalar + vector", as the table of FieldType reads.
Tensor by_hand(const Tensor& linear, const Tensor& shift, const Tensor& x, int64_t d) {
  const auto turn = [&](int64_t first) {
    return x.narrow(-1, first, d).matmul(linear.transpose(-1, -2));
  };
  const Tensor moved = shift.unsqueeze(-2);
  return torch::cat({turn(0) + moved, turn(d) + moved, x.narrow(-1, 2 * d, 1), turn(2 * d + 1)},
                    -1);
}

struct Case {
  EuclideanGroup group;
  FieldType rho = FieldType::parse("2 point + scalar + vector");
  EuclideanGroup::Element g;
  Tensor x;

  explicit Case(int64_t d) : group(EuclideanGroup::E(d)) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(d));
    g = group.sample(6, generator);
    g.linear = g.linear.view({2, 3, d, d});
    g.shift = g.shift.view({2, 3, d});
    x = torch::randn({2, 3, 4, 3 * d + 1}, generator, torch::kFloat64);
  }
};

TEST(Transform, IsTheMapOfItsFieldType) {
  for (const int64_t d : {1, 2, 3, 5}) {
    const Case c(d);
    const Tensor y = c.group.act(c.rho, c.g, c.x);
    EXPECT_LT((y - by_hand(c.g.linear, c.g.shift, c.x, d)).abs().max().item<double>(), 1e-13) << d;
    EXPECT_LT((c.group.act_inverse(c.rho, c.g, y) - c.x).abs().max().item<double>(), 1e-13) << d;
  }
}

TEST(Transform, RepeatsAnInputForSeveralElements) {
  const Case c(3);
  const Tensor one = c.x.narrow(1, 0, 1);
  EXPECT_TRUE(torch::equal(c.group.act(c.rho, c.g, one),
                           c.group.act(c.rho, c.g, one.expand({2, 3, 4, 10}).contiguous())));
}

TEST(Transform, TakesRowsThatAreNotDense) {
  const Case c(3);
  const Tensor wide = torch::randn({2, 3, 4, 20}, torch::kFloat64);
  for (const Tensor& x :
       {wide.narrow(3, 5, 10), wide.narrow(3, 0, 10).transpose(1, 2).contiguous().transpose(1, 2)})
    EXPECT_TRUE(torch::equal(c.group.act(c.rho, c.g, x), c.group.act(c.rho, c.g, x.contiguous())));
}

TEST(Transform, HasTheGradientOfItsEquation) {
  Case c(3);
  c.x.requires_grad_();
  c.g.shift.requires_grad_();
  const Tensor weight = torch::randn_like(c.x).detach();
  const auto gradients = [&](const Tensor& y) {
    const Tensor energy = (y.tanh() * weight).sum();
    const auto first = torch::autograd::grad({energy}, {c.x, c.g.shift}, {}, true, true);
    const auto second = torch::autograd::grad({first[0].square().sum() + first[1].square().sum()},
                                              {c.x, c.g.shift});
    return std::vector<Tensor>{first[0], first[1], second[0], second[1]};
  };
  const auto ours = gradients(c.group.act(c.rho, c.g, c.x));
  const auto expected = gradients(by_hand(c.g.linear, c.g.shift, c.x, 3));
  for (size_t k = 0; k < ours.size(); ++k)
    EXPECT_LT((ours[k] - expected[k]).abs().max().item<double>(), 1e-11) << k;
  // The inverse is R^T (x - t).
  const Tensor back = c.g.linear.transpose(-1, -2);
  const Tensor moved = -back.matmul(c.g.shift.unsqueeze(-1)).squeeze(-1);
  const auto inverse = gradients(c.group.act_inverse(c.rho, c.g, c.x));
  const auto inverse_expected = gradients(by_hand(back, moved, c.x, 3));
  for (size_t k = 0; k < ours.size(); ++k)
    EXPECT_LT((inverse[k] - inverse_expected[k]).abs().max().item<double>(), 1e-11) << k;
}

TEST(Transform, HasTheGradientOfARotationThatIsTracked) {
  Case c(3);
  const Tensor plain = c.group.act(c.rho, c.g, c.x);
  c.g.linear.requires_grad_();
  const Tensor tracked = c.group.act(c.rho, c.g, c.x);
  EXPECT_LT((tracked - plain).abs().max().item<double>(), 1e-13);
  EXPECT_GT(torch::autograd::grad({tracked.square().sum()}, {c.g.linear})[0].norm().item<double>(),
            0);
}

}  // namespace
}  // namespace equiframe
