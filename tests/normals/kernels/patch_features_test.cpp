#include "normals/kernels/patch_features.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/linalg/reference.h"

namespace equiframe::kernels {
namespace {

using reference::Matrix;
using reference::Random;

using Point = std::array<double, 3>;
constexpr std::size_t kScaleCount = kPatchScales.size();

double length(const Point& p) {
  return std::hypot(p[0], p[1], p[2]);
}

/// Nearest first, the query at the origin, the farthest on the unit sphere.
std::vector<Point> as_patch(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return length(a) < length(b); });
  const double reach = length(points.back());
  for (Point& p : points)
    for (double& x : p) x /= reach;
  return points;
}

/// Points of z = bend (x^2 + y^2) + noise about the origin, which is one of them.
std::vector<Point> bowl(std::size_t count, double bend, double noise, Random& random) {
  std::uniform_real_distribution<double> place(-1, 1);
  std::normal_distribution<double> normal;
  std::vector<Point> points{{0, 0, 0}};
  while (points.size() < count) {
    const double x = place(random), y = place(random);
    points.push_back({x, y, bend * (x * x + y * y) + noise * normal(random)});
  }
  return as_patch(points);
}

std::vector<Point> moved(const std::vector<Point>& points, const Matrix& r) {
  std::vector<Point> result;
  for (const Point& p : points) {
    Point q{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) q[i] += static_cast<double>(r[i][j]) * p[j];
    result.push_back(q);
  }
  return result;
}

template <class T>
struct Features {
  std::vector<T> points;  // [count, kPointFeatures]
  std::vector<T> patch;
  std::vector<T> windows;  // [scales, count]

  T of(std::size_t point, std::size_t feature) const {
    return points[point * static_cast<std::size_t>(kPointFeatures) + feature];
  }
  T share(std::size_t point, std::size_t scale) const { return of(point, 4 + scale); }
  /// Feature `which` of a scale of the patch.
  T scale(std::size_t scale, std::size_t which) const {
    return patch[scale * static_cast<std::size_t>(kScaleFeatures) + which];
  }
  T window(std::size_t point, std::size_t scale) const {
    return windows[scale * (windows.size() / kScaleCount) + point];
  }
};

template <class T>
Features<T> features(const std::vector<Point>& points) {
  std::vector<T> x;
  for (const Point& p : points)
    for (const double value : p) x.push_back(static_cast<T>(value));
  Features<T> result{
      std::vector<T>(points.size() * static_cast<std::size_t>(kPointFeatures), T(-77)),
      std::vector<T>(static_cast<std::size_t>(kPatchFeatures), T(-77)),
      std::vector<T>(kScaleCount * points.size(), T(-77))};
  patch_features<T>(static_cast<std::int64_t>(points.size()), x.data(),
                    {result.points.data(), 1, kPointFeatures, result.patch.data(),
                     result.windows.data(), static_cast<std::int64_t>(points.size())});
  return result;
}

template <class T>
class PatchFeatureTypes : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(PatchFeatureTypes, Types);

/// Rotations and reflections about the query.
TYPED_TEST(PatchFeatureTypes, AllButTheDirectionIsInvariant) {
  using T = TypeParam;
  const double tolerance = sizeof(T) == 8 ? 1e-11 : 2e-4;
  Random random(1);
  for (const std::size_t count : {5U, 8U, 50U, 200U}) {
    const auto patch = bowl(count, 0.3, 0.05, random);
    Matrix turn = reference::rotation(3, random);
    if (count == 50U)
      for (auto& row : turn) row[0] = -row[0];
    const auto before = features<T>(patch), after = features<T>(moved(patch, turn));
    for (std::size_t k = 0; k < count; ++k) {
      const Point direction{before.of(k, 0), before.of(k, 1), before.of(k, 2)};
      const Point there = moved({direction}, turn)[0];
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(after.of(k, c), there[c], tolerance);
      for (std::size_t c = 3; c < static_cast<std::size_t>(kPointFeatures); ++c)
        EXPECT_NEAR(after.of(k, c), before.of(k, c), tolerance) << count << " " << k << " " << c;
    }
    for (std::size_t c = 0; c < before.patch.size(); ++c)
      EXPECT_NEAR(after.patch[c], before.patch[c], tolerance) << count << " " << c;
  }
}

TYPED_TEST(PatchFeatureTypes, PointsHaveADirectionAndADistance) {
  using T = TypeParam;
  Random random(2);
  const auto patch = bowl(30, 0.3, 0.05, random);
  const auto found = features<T>(patch);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(found.of(0, c), T(0)) << "the query";
  for (std::size_t k = 1; k < patch.size(); ++k) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found.of(k, c), patch[k][c] / length(patch[k]), 1e-6);
    EXPECT_NEAR(found.of(k, 3), length(patch[k]), 1e-6);
  }
}

TYPED_TEST(PatchFeatureTypes, APlaneHasNoHeightsAndNoScatter) {
  using T = TypeParam;
  Random random(3);
  const auto plane = moved(bowl(192, 0, 0, random), reference::rotation(3, random));
  const auto found = features<T>(plane);
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    for (std::size_t k = 0; k < plane.size(); ++k) EXPECT_NEAR(found.share(k, s), 0, 1e-4);
    EXPECT_NEAR(found.scale(s, 0), std::log(1e-3 + kFlatness), 1e-3);
    EXPECT_NEAR(found.scale(s, 2), 0, 1e-5) << "the query lies in the plane";
    EXPECT_NEAR(found.scale(s, 4), 0, 1e-5) << "all planes are one";
    if (s > 0) {
      EXPECT_GT(found.scale(s, 5), found.scale(s - 1, 5)) << "radii grow";
    }
  }
}

TYPED_TEST(PatchFeatureTypes, WindowsAreBellsOfSumOne) {
  using T = TypeParam;
  Random random(9);
  const auto patch = bowl(100, 0.3, 0.05, random);
  const auto found = features<T>(patch);
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    double sum = 0;
    for (std::size_t k = 0; k < patch.size(); ++k) {
      sum += double(found.window(k, s));
      if (k > 0) {
        EXPECT_LE(found.window(k, s), found.window(k - 1, s));
      }
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_GT(found.window(0, 0), found.window(0, 4)) << "small scales are narrow";
  EXPECT_EQ(found.window(99, 0), T(0));
}

/// Against planes of the whole patch fitted in long double.
TYPED_TEST(PatchFeatureTypes, HeightsAndScatterAreThoseOfTheFittedPlane) {
  using T = TypeParam;
  Random random(4);
  const auto patch = bowl(40, 0.4, 0.02, random);
  const auto found = features<T>(patch);
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    const auto near =
        std::min<std::size_t>(patch.size(), static_cast<std::size_t>(kPatchScales[s]));
    Point mean{};
    for (std::size_t k = 0; k < near; ++k)
      for (std::size_t c = 0; c < 3; ++c) mean[c] += patch[k][c] / static_cast<double>(near);
    Matrix covariance{};
    for (std::size_t k = 0; k < near; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          covariance[i][j] +=
              static_cast<long double>((patch[k][i] - mean[i]) * (patch[k][j] - mean[j])) / near;
    const auto values = reference::eigenvalues(3, covariance);
    const auto extent = static_cast<double>(std::sqrt(values[0] + values[1] + values[2]));
    const double scatter =
        std::hypot(static_cast<double>(std::sqrt(values[0])), kFlatness * extent);
    EXPECT_NEAR(found.scale(s, 0), std::log(scatter / extent + 1e-3), 1e-5) << s;
    EXPECT_NEAR(found.scale(s, 1), static_cast<double>(std::sqrt(values[1] / values[2])), 1e-5)
        << s;
    EXPECT_NEAR(found.scale(s, 5), std::log(length(patch[near - 1]) + 1e-3), 1e-5) << s;
    double squares = 0;  // heights over the plane of these points have this root mean square
    for (std::size_t k = 0; k < near; ++k) {
      const double share = double(found.share(k, s));
      squares += std::pow(share / (1 - share) * (scatter + 0.02 * extent), 2);
    }
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(near)), scatter, 1e-5) << s;
  }
}

TYPED_TEST(PatchFeatureTypes, SmallPatchesTakeAllTheyHave) {
  using T = TypeParam;
  Random random(5);
  for (const std::size_t count : {1U, 2U, 3U, 5U, 7U}) {
    const auto patch = count == 1 ? std::vector<Point>{{0, 0, 0}} : bowl(count, 0.3, 0.05, random);
    const auto found = features<T>(patch);
    for (const T value : found.points) EXPECT_TRUE(std::isfinite(value)) << count;
    for (const T value : found.patch) EXPECT_TRUE(std::isfinite(value)) << count;
    for (std::size_t s = 1; s < kScaleCount; ++s)
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_EQ(found.share(k, s), found.share(k, 0)) << "all scales see the same points";
    if (count > 3) continue;
    for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found.share(k, 0), 0, 1e-4) << count;
  }
}

/// Features may come one point after the other or one feature after the other.
TEST(PatchFeatures, GoWhereTheyAreWanted) {
  Random random(6);
  const auto patch = bowl(20, 0.3, 0.05, random);
  const auto expected = features<double>(patch);
  std::vector<double> rows(static_cast<std::size_t>(20 * kPointFeatures));
  std::vector<double> of_patch(static_cast<std::size_t>(kPatchFeatures));
  std::vector<double> windows(kScaleCount * 20);
  patch_features<double>(20, patch.data()->data(),
                         {rows.data(), 20, 1, of_patch.data(), windows.data(), 20});
  for (std::size_t k = 0; k < 20; ++k)
    for (std::size_t c = 0; c < static_cast<std::size_t>(kPointFeatures); ++c)
      EXPECT_EQ(rows[c * 20 + k], expected.of(k, c));
  EXPECT_EQ(of_patch, expected.patch);
}

struct Heights {
  std::vector<double> height, first, second, weights;

  WeightedHeights<double> view() const {
    return {static_cast<std::int64_t>(height.size()), height.data(), first.data(), second.data(),
            weights.data()};
  }
};

/// Of z = 0.3 + 0.2 u - 0.1 v + 0.5 u^2 + 0.4 u v - 0.2 v^2, and noise.
Heights quadric(std::size_t count, double noise, Random& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> weight(0.1, 1);
  Heights heights;
  for (std::size_t k = 0; k < count; ++k) {
    const double u = normal(random), v = normal(random);
    heights.first.push_back(u);
    heights.second.push_back(v);
    heights.height.push_back(0.3 + 0.2 * u - 0.1 * v + 0.5 * u * u + 0.4 * u * v - 0.2 * v * v +
                             noise * normal(random));
    heights.weights.push_back(weight(random) / static_cast<double>(count));
  }
  return heights;
}

double soft(double s, double t) {
  return 1 / std::sqrt(1 + (s * s + t * t) / 16);
}

TEST(PatchJet, FindsAQuadric) {
  Random random(7);
  const auto jet = patch_jet<double>(quadric(60, 0, random).view(), {0.5, -1, 0});
  const double s = -(0.2 + 1.0 * 0.5 + 0.4 * -1), t = -(-0.1 + 0.4 * 0.5 - 0.4 * -1);
  EXPECT_NEAR(jet.slopes[0], s * soft(s, t), 1e-4);
  EXPECT_NEAR(jet.slopes[1], t * soft(s, t), 1e-4);
  EXPECT_NEAR(jet.scatter, 0, 1e-2);
}

TEST(PatchJet, ThatIsStiffIsAPlane) {
  Random random(7);
  Heights plane = quadric(60, 0, random);
  for (std::size_t k = 0; k < 60; ++k)
    plane.height[k] = 0.2 * plane.first[k] - 0.1 * plane.second[k];
  const auto stiff = patch_jet<double>(quadric(60, 0, random).view(), {0, 0, 1e9});
  for (int r = 3; r < 6; ++r) EXPECT_NEAR(stiff.coefficients[r], 0, 1e-6);
  EXPECT_NEAR(patch_jet<double>(plane.view(), {3, 4, 1e9}).slopes[0], -0.2 * soft(0.2, 0.1), 1e-4);
}

TEST(PatchJet, HasTheGradientOfDifferences) {
  Random random(8);
  Heights heights = quadric(30, 0.3, random);
  const JetPlace place{0.4, -0.3, 0.2};
  const double d_slopes[2] = {0.7, -1.1};
  const auto value = [&](const JetPlace& at) {
    const auto jet = patch_jet<double>(heights.view(), at);
    return d_slopes[0] * jet.slopes[0] + d_slopes[1] * jet.slopes[1];
  };
  std::vector<double> d_weights(30);
  const auto jet = patch_jet<double>(heights.view(), place);
  const double d_stiffness =
      patch_jet_backward<double>(heights.view(), place, jet, d_slopes, d_weights.data());
  constexpr double kStep = 1e-6;
  EXPECT_NEAR(d_stiffness,
              (value({0.4, -0.3, 0.2 + kStep}) - value({0.4, -0.3, 0.2 - kStep})) / (2 * kStep),
              1e-6);
  for (std::size_t k = 0; k < 30; ++k) {
    const double before = heights.weights[k];
    heights.weights[k] = before + kStep;
    const double high = value(place);
    heights.weights[k] = before - kStep;
    const double low = value(place);
    heights.weights[k] = before;
    EXPECT_NEAR(d_weights[k], (high - low) / (2 * kStep), 1e-5) << k;
  }
}

}  // namespace
}  // namespace equiframe::kernels
