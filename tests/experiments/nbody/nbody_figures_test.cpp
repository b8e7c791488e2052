/// Figures 3 and 4: spacings of eigenvalues and the steadiness of principal axes.
#include "experiments/nbody/nbody_figures.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/datasets/nbody.h"
#include "equiframe/groups/euclidean.h"

namespace {

using equiframe::Tensor;
using namespace equiframe::experiments;

/// Points at +-a, +-b and +-c on the axes: eigenvalues 2 a^2, 2 b^2 and 2 c^2.
Tensor cross_of(double a, double b, double c) {
  const Tensor half = torch::diag(torch::tensor({a, b, c}, torch::kFloat64));
  return torch::cat({half, -half}).unsqueeze(0);  // [1, 6, 3]
}

Tensor random_sets(int64_t count, uint64_t seed) {
  return torch::randn({count, 5, 3}, equiframe::make_generator(seed), torch::kFloat64);
}

/// A random orthogonal matrix, [3, 3].
Tensor rotation(uint64_t seed) {
  const Tensor x = torch::randn({3, 3}, equiframe::make_generator(seed), torch::kFloat64);
  return std::get<0>(torch::linalg_qr(x));
}

double spacing(const Tensor& points) {
  return minimal_spacings(points).item<double>();
}

TEST(MinimalSpacings, AreThoseOfTheEigenvalues) {
  EXPECT_NEAR(spacing(cross_of(1, 2, 3)), 0.75, 1e-12);  // 2, 8, 18: gaps 6 and 10, mean 8
  EXPECT_NEAR(spacing(cross_of(3, 1, 2)), 0.75, 1e-12);
  EXPECT_NEAR(spacing(cross_of(1, std::sqrt(2.0), std::sqrt(3.0))), 1, 1e-12);
}

TEST(MinimalSpacings, AreZeroForRepeatedEigenvalues) {
  EXPECT_NEAR(spacing(cross_of(1, 1, 2)), 0, 1e-12);
  EXPECT_NEAR(spacing(cross_of(1, 2, 2)), 0, 1e-12);
  EXPECT_EQ(spacing(torch::full({1, 5, 3}, 2.5, torch::kFloat64)), 0) << "all points at one place";
}

TEST(MinimalSpacings, DoNotSeeMotionsScaleOrOrder) {
  const Tensor points = random_sets(50, 1);
  const Tensor moved = 3 * torch::matmul(points, rotation(2).t()).flip(1) - 7;
  EXPECT_LT((minimal_spacings(moved) - minimal_spacings(points)).abs().max().item<double>(), 1e-10);
}

TEST(Summary, IsOfTheSortedValues) {
  const Tensor values = torch::arange(0, 1001, torch::kFloat64).flip(0) / 1000;
  const SpacingSummary summary = summarise(values);
  EXPECT_EQ(summary.smallest, 0);
  EXPECT_NEAR(summary.percentile_1, 0.01, 1e-12);
  EXPECT_NEAR(summary.median, 0.5, 1e-12);
  EXPECT_EQ(summary.below_hundredth, 10);
}

TEST(Histogram, CountsEachValueOnce) {
  const Histogram bars = histogram(torch::tensor({0.0, 0.1, 0.25, 0.6, 1.0}), 0, 1, 4);
  EXPECT_EQ(bars.counts, (std::vector<int64_t>{2, 1, 1, 1}));
}

TEST(FrameDistances, AreSinesOfTheAnglesBetweenAxes) {
  for (const double angle : {0.0, 1e-9, 0.3, M_PI / 2}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const Tensor turned =
        torch::tensor({c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}, torch::kFloat64).view({1, 3, 3});
    const Tensor axes = torch::eye(3, torch::kFloat64).unsqueeze(0);
    EXPECT_NEAR(frame_distances(axes, turned).item<double>(), 2 * s / 3, 1e-6 * s + 1e-16) << angle;
  }
}

TEST(FrameDistances, DoNotDependOnTheRepresentative) {
  const Tensor axes = principal_axes(random_sets(20, 3)),
               others = principal_axes(random_sets(20, 4));
  const Tensor signs = torch::tensor({1.0, -1.0, -1.0}, torch::kFloat64);
  const Tensor expected = frame_distances(axes, others);
  EXPECT_GT(expected.min().item<double>(), 0.01);
  EXPECT_TRUE(torch::allclose(frame_distances(axes * signs, others), expected, 0, 1e-14));
  EXPECT_TRUE(torch::allclose(frame_distances(axes, others * -signs), expected, 0, 1e-14));
}

TEST(FrameDistances, DoNotSeeACommonRotation) {
  const Tensor points = random_sets(20, 5), noisy = points + 0.05 * random_sets(20, 6);
  const auto distances = [&](const Tensor& turn) {
    return frame_distances(principal_axes(torch::matmul(points, turn.t())),
                           principal_axes(torch::matmul(noisy, turn.t())));
  };
  EXPECT_TRUE(
      torch::allclose(distances(rotation(7)), distances(torch::eye(3, torch::kFloat64)), 0, 1e-9));
}

TEST(FrameStability, GrowsWithTheNoiseFromZero) {
  // Eigenvalues well apart, so that first order holds: E is proportional to sigma.
  const Tensor points = cross_of(1, 2, 3).expand({400, 6, 3});
  const auto curve = frame_stability(points, {0, 1e-5, 1e-3, 0.1}, 1);
  EXPECT_LT(curve[0].mean, 1e-15);
  EXPECT_NEAR(curve[2].mean / curve[1].mean, 100, 10);
  EXPECT_GT(curve[3].mean, 10 * curve[2].mean);
  EXPECT_LT(curve[3].mean, 1);
  EXPECT_GT(curve[1].deviation, 0);
}

TEST(FrameStability, IsAFunctionOfTheSeed) {
  const Tensor points = random_sets(30, 8);
  const auto mean = [&](uint64_t seed) { return frame_stability(points, {0.01}, seed)[0].mean; };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(GeometricSequence, KeepsItsEnds) {
  const auto values = geometric_sequence(1e-4, 1e-1, 4);
  ASSERT_EQ(values.size(), 4U);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(values[i] / std::pow(10, static_cast<double>(i) - 4), 1, 1e-12);
}

/// The values the paper calls "of order 1e-2", for the 3000 training sets of the benchmark.
TEST(NBodyFigures, MinimalSpacingOfTheBenchmark) {
  equiframe::NBodyOptions options;
  options.train = 3000;  // the first of one random stream, whatever follows
  options.valid = options.test = 0;
  const Tensor loc = equiframe::generate_nbody(options).train.loc;  // [3000, 49, 3, 5]
  const auto at = [&](int64_t frame) {
    return summarise(minimal_spacings(loc.select(1, frame).transpose(1, 2)));
  };
  const SpacingSummary input = at(30);
  EXPECT_NEAR(input.smallest, 0.0034, 5e-5);
  EXPECT_NEAR(input.percentile_1, 0.053, 5e-4);
  EXPECT_NEAR(input.median, 0.576, 5e-4);
  EXPECT_EQ(input.below_hundredth, 2);
  EXPECT_NEAR(at(0).smallest, 0.0099, 5e-5);
  EXPECT_NEAR(at(40).smallest, 0.0030, 5e-5);
}

}  // namespace
