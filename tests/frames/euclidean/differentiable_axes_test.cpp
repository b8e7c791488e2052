#include <gtest/gtest.h>
#include <torch/torch.h>

#include "equiframe/averaging/average.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/zoo.h"

namespace equiframe {
namespace {

/// The averaged energy of a random network, and its gradient at `x`.
class Energy {
 public:
  explicit Energy(const EuclideanGroup& group)
      : symmetry_{group, group.type("point"), group.type("scalar")},
        generator_(make_generator(4)),
        phi_(6 * group.dim(), {1}, generator_),
        frame_(make_frame("pca(gradient=exact)", group, symmetry_.in)) {}

  Tensor gradient(const Tensor& x) const {
    const Tensor energy = equivariant_average(symmetry_, (*frame_)(Batch(x)), phi_, x).sum();
    return torch::autograd::grad({energy}, {x}, {}, true, /*create_graph=*/true)[0];
  }

 private:
  Symmetry<EuclideanGroup> symmetry_;
  at::Generator generator_;
  laws::RandomMlp phi_;
  std::unique_ptr<Frame<EuclideanGroup>> frame_;
};

TEST(DifferentiableAxes, SecondDerivativeMatchesFiniteDifferences) {
  for (const EuclideanGroup& group :
       {EuclideanGroup::SE(3), EuclideanGroup::O(2), EuclideanGroup::SO(4)}) {
    const Energy energy(group);
    auto generator = make_generator(5);
    const Tensor x = torch::randn({1, 6, group.dim()}, generator, torch::kFloat64);
    const Tensor direction = torch::randn(x.sizes(), generator, torch::kFloat64);
    const auto gradient_at = [&](const Tensor& where) {
      return energy.gradient(where.detach().clone().requires_grad_(true)).detach();
    };
    constexpr double kStep = 1e-5;
    const Tensor numeric =
        (gradient_at(x + kStep * direction) - gradient_at(x - kStep * direction)) / (2 * kStep);
    const Tensor leaf = x.clone().requires_grad_(true);
    const Tensor exact =
        torch::autograd::grad({(energy.gradient(leaf) * direction).sum()}, {leaf})[0];
    const double scale = numeric.abs().max().item<double>();
    EXPECT_LT((exact - numeric).abs().max().item<double>() / scale, 1e-6) << group.name();
  }
}

TEST(DifferentiableAxes, StaysFiniteNextToATie) {
  auto generator = make_generator(6);
  Tensor x =
      torch::tensor(
          {{1., 0., 0.}, {-1., 0., 0.}, {0., 1., 0.}, {0., -1., 0.}, {0., 0., .5}, {0., 0., -.5}},
          torch::kFloat64)
          .unsqueeze(0);
  x = (x + 1e-7 * torch::randn(x.sizes(), generator, torch::kFloat64)).requires_grad_(true);
  const Energy energy(EuclideanGroup::SO(3));
  const Tensor gradient = energy.gradient(x);
  const Tensor second = torch::autograd::grad({gradient.sum()}, {x})[0];
  EXPECT_TRUE(gradient.isfinite().all().item<bool>());
  EXPECT_TRUE(second.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace equiframe
