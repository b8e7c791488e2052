#include "equiframe/kernels/patch_features.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "reference.h"

namespace equiframe::kernels {
namespace {

using reference::Matrix;
using reference::Random;

using Point = std::array<double, 3>;
constexpr std::size_t kScales = kPatchScales.size();

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

  T of(std::size_t point, std::size_t feature) const {
    return points[point * static_cast<std::size_t>(kPointFeatures) + feature];
  }
  T height(std::size_t point, std::size_t scale) const { return of(point, 5 + 2 * scale); }
  T share(std::size_t point, std::size_t scale) const { return of(point, 6 + 2 * scale); }
};

template <class T>
Features<T> features(const std::vector<Point>& points) {
  std::vector<T> x;
  for (const Point& p : points)
    for (const double value : p) x.push_back(static_cast<T>(value));
  Features<T> result{
      std::vector<T>(points.size() * static_cast<std::size_t>(kPointFeatures), T(-77)),
      std::vector<T>(static_cast<std::size_t>(kPatchFeatures), T(-77))};
  patch_features<T>(static_cast<std::int64_t>(points.size()), x.data(),
                    {result.points.data(), 1, kPointFeatures, result.patch.data()});
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

TYPED_TEST(PatchFeatureTypes, PointsHaveADirectionADistanceAndItsRoot) {
  using T = TypeParam;
  Random random(2);
  const auto patch = bowl(30, 0.3, 0.05, random);
  const auto found = features<T>(patch);
  for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(found.of(0, c), T(0)) << "the query";
  for (std::size_t k = 1; k < patch.size(); ++k) {
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found.of(k, c), patch[k][c] / length(patch[k]), 1e-6);
    EXPECT_NEAR(found.of(k, 3), length(patch[k]), 1e-6);
    EXPECT_NEAR(found.of(k, 4), std::sqrt(length(patch[k])), 1e-6);
  }
}

TYPED_TEST(PatchFeatureTypes, APlaneHasNoHeightsAndNoScatter) {
  using T = TypeParam;
  Random random(3);
  const auto plane = moved(bowl(192, 0, 0, random), reference::rotation(3, random));
  const auto found = features<T>(plane);
  for (std::size_t s = 0; s < kScales; ++s) {
    for (std::size_t k = 0; k < plane.size(); ++k) {
      EXPECT_NEAR(found.height(k, s), 0, 1e-6);
      EXPECT_NEAR(found.share(k, s), 0, 1e-4);
    }
    EXPECT_NEAR(found.patch[2 * s], std::log(1e-3), 1e-3);
    EXPECT_GT(found.patch[2 * s + 1], s == 0 ? T(0) : found.patch[2 * s - 1]) << "extents grow";
  }
}

/// Against planes of the whole patch fitted in long double.
TYPED_TEST(PatchFeatureTypes, HeightsAndScatterAreThoseOfTheFittedPlane) {
  using T = TypeParam;
  Random random(4);
  const auto patch = bowl(40, 0.4, 0.02, random);
  const auto found = features<T>(patch);
  for (std::size_t s = 0; s < kScales; ++s) {
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
    const auto scatter = static_cast<double>(std::sqrt(values[0]));
    const auto extent = static_cast<double>(std::sqrt(values[0] + values[1] + values[2]));
    EXPECT_NEAR(found.patch[2 * s], std::log(scatter / extent + 1e-3), 1e-5) << s;
    EXPECT_NEAR(found.patch[2 * s + 1], extent, 1e-6) << s;
    double squares = 0;  // heights over the plane of these points have this root mean square
    for (std::size_t k = 0; k < near; ++k) squares += std::pow(found.height(k, s), 2);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(near)), scatter, 1e-6) << s;
    for (std::size_t k = 0; k < patch.size(); ++k) {
      const double h = found.height(k, s);
      EXPECT_NEAR(found.share(k, s), h / (h + scatter + 0.02 * extent), 1e-5);
    }
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
    for (std::size_t s = 1; s < kScales; ++s)
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_EQ(found.height(k, s), found.height(k, 0)) << "all scales see the same points";
    if (count > 3) continue;
    for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(found.height(k, 0), 0, 1e-6) << count;
  }
}

/// Features may come one point after the other or one feature after the other.
TEST(PatchFeatures, GoWhereTheyAreWanted) {
  Random random(6);
  const auto patch = bowl(20, 0.3, 0.05, random);
  const auto expected = features<double>(patch);
  std::vector<double> rows(static_cast<std::size_t>(20 * kPointFeatures));
  std::vector<double> of_patch(static_cast<std::size_t>(kPatchFeatures));
  patch_features<double>(20, patch.data()->data(), {rows.data(), 20, 1, of_patch.data()});
  for (std::size_t k = 0; k < 20; ++k)
    for (std::size_t c = 0; c < static_cast<std::size_t>(kPointFeatures); ++c)
      EXPECT_EQ(rows[c * 20 + k], expected.of(k, c));
  EXPECT_EQ(of_patch, expected.patch);
}

}  // namespace
}  // namespace equiframe::kernels
