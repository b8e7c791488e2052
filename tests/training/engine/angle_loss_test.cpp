/// loss = "angle": the root mean square angle of unoriented normals over each item.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "training/engine/loss.h"

namespace equiframe {
namespace {

constexpr double kDegree = M_PI / 180;

/// Unit vectors [M, 3] at these angles from the x axis.
Tensor arrows(const std::vector<double>& degrees) {
  const Tensor angle = torch::tensor(degrees, torch::kFloat64) * kDegree;
  return torch::stack({angle.cos(), angle.sin(), torch::zeros_like(angle)}, -1);
}

/// Targets along the x axis for rows of the items `id`, or of one item without a name.
Example along_x(int64_t rows, const std::vector<int64_t>& id = {}) {
  const Tensor target = torch::tensor({1.0, 0.0, 0.0}, torch::kFloat64).expand({rows, 3});
  Batch input(torch::zeros({rows, 4, 3}, torch::kFloat64));
  if (!id.empty()) input.id = torch::tensor(id, torch::kLong);
  return {input, target.contiguous()};
}

Tensor loss(const Tensor& prediction, const Example& example, LossKind kind = LossKind::kAngle) {
  TrainOptions options;
  options.loss = kind;
  return training_loss(options, prediction, example);
}

double root_mean_square(const std::vector<double>& degrees) {
  double sum = 0;
  for (const double angle : degrees) sum += angle * angle;
  return std::sqrt(sum / static_cast<double>(degrees.size())) * kDegree;
}

TEST(AngleLoss, IsTheRootMeanSquareAngleOfEachItemAveragedOverItems) {
  const Tensor prediction = arrows({10, 35, 20, 60, 5});
  const double alone = loss(prediction, along_x(5)).item<double>();
  EXPECT_NEAR(alone, root_mean_square({10, 35, 20, 60, 5}), 1e-6);
  // Items 7 = {10, 20} and 2 = {35, 60, 5}, whose rows need not follow one another.
  const double items = loss(prediction, along_x(5, {7, 2, 7, 2, 2})).item<double>();
  EXPECT_NEAR(items, (root_mean_square({10, 20}) + root_mean_square({35, 60, 5})) / 2, 1e-6);
}

TEST(AngleLoss, TheLogarithmCountsATenthLessTheSameOnAnyItem) {
  const Example example = along_x(2, {0, 1});
  const auto of = [&](double first, double second) {
    return loss(arrows({first, second}), example, LossKind::kLogAngle).item<double>();
  };
  EXPECT_NEAR(of(40, 20) - of(36, 20), of(40, 20) - of(40, 18), 2e-3);
  EXPECT_NEAR(of(40, 20) - of(36, 20), -std::log(0.9) / 2, 2e-3);
}

TEST(AngleLoss, DependsOnNeitherSignNorLength) {
  const Tensor prediction = arrows({10, 35, 20, 90});
  const Example example = along_x(4, {0, 0, 1, 1});
  const double expected = loss(prediction, example).item<double>();
  const Tensor factors = torch::tensor({-1.0, 3.0, -0.25, 1.0}, torch::kFloat64).unsqueeze(1);
  EXPECT_NEAR(loss(prediction * factors, example).item<double>(), expected, 1e-7);
  const Example turned{example.input, -example.target};
  EXPECT_NEAR(loss(prediction, turned).item<double>(), expected, 1e-12);
  EXPECT_NEAR(loss(arrows({170}), along_x(1)).item<double>(), 10 * kDegree, 1e-6);
}

TEST(AngleLoss, GoesFromNothingToARightAngle) {
  EXPECT_LT(loss(arrows({0, 0}), along_x(2)).item<double>(), 0.05 * kDegree);
  EXPECT_NEAR(loss(arrows({90, 90}), along_x(2)).item<double>(), 90 * kDegree, 1e-6);
  EXPECT_NEAR(loss(torch::zeros({2, 3}, torch::kFloat64), along_x(2)).item<double>(), 90 * kDegree,
              1e-6);
}

TEST(AngleLoss, HasAFiniteGradientEverywhere) {
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    for (const std::vector<double>& degrees : std::vector<std::vector<double>>{
             {0, 0}, {90, 90}, {180, 0}, {0, 90}, {1e-3, 1e-5}, {89.999, 90.00001}}) {
      const Tensor prediction = arrows(degrees).to(type).requires_grad_();
      const Tensor gradient =
          torch::autograd::grad({loss(prediction, along_x(2, {0, 1}))}, {prediction})[0];
      EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << degrees[0] << " " << degrees[1];
      EXPECT_LT(gradient.abs().max().item<double>(), 2) << degrees[0] << " " << degrees[1];
    }
    const Tensor nothing = torch::zeros({2, 3}, type).requires_grad_();
    EXPECT_TRUE(torch::autograd::grad({loss(nothing, along_x(2))}, {nothing})[0]
                    .isfinite()
                    .all()
                    .item<bool>());
  }
}

TEST(AngleLoss, ItsGradientIsThatOfTheEquations) {
  const Tensor prediction = arrows({10, 35, 20, 80}).requires_grad_();
  const Example example = along_x(4, {0, 0, 1, 1});
  const Tensor gradient = torch::autograd::grad({loss(prediction, example)}, {prediction})[0];
  constexpr double kStep = 1e-6;
  const torch::NoGradGuard no_grad;
  for (int64_t row = 0; row < 4; ++row)
    for (int64_t axis = 0; axis < 3; ++axis) {
      const auto moved = [&](double step) {
        const Tensor there = prediction.detach().clone();
        there[row][axis] += step;
        return loss(there, example).item<double>();
      };
      EXPECT_NEAR(gradient[row][axis].item<double>(), (moved(kStep) - moved(-kStep)) / (2 * kStep),
                  1e-7);
    }
}

}  // namespace
}  // namespace equiframe
