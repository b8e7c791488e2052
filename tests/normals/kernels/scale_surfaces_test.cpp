/// Curved surfaces through smaller and larger neighbourhoods.
#include "normals/kernels/scale_surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace equiframe::kernels {
namespace {

using Vector = std::array<double, 3>;

double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Points of z = s x + (c x^2 + d y^2) / 2 within a disc of radius one.
std::vector<double> paraboloid(size_t count, double s, double c, double d, double noise) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> side(-1, 1);
  std::normal_distribution<double> off(0, 1);
  std::vector<double> points;
  while (points.size() < 3 * count) {
    const double x = side(random), y = side(random);
    if (x * x + y * y > 1) continue;
    points.insert(points.end(), {x, y, s * x + (c * x * x + d * y * y) / 2 + noise * off(random)});
  }
  return points;
}

TEST(ScaleSurfaces, AParaboloidIsFoundExactlyOnEveryScale) {
  const std::vector<double> points = paraboloid(512, 0.1, 0.3, -0.2, 0);
  const Vector up{0, 0, 1};
  const ScaleSurfaces found = scale_surfaces(512, points.data(), up.data());
  const double length = std::sqrt(1 + 0.1 * 0.1);
  const Vector truth{-0.1 / length, 0, 1 / length};
  for (int s = 0; s < kSurfaceScales; ++s) {
    EXPECT_NEAR(dot(found.normals[s], truth.data()), 1, 1e-12) << s;
    EXPECT_NEAR(found.numbers[s][0], std::log(1e-3), 1e-2) << "no scatter at all";
    EXPECT_NEAR(found.numbers[s][2], 0, 0.5) << "as many points as on a plane";
  }
  EXPECT_GT(found.numbers[kSurfaceScales - 1][1], found.numbers[0][1]) << "more of a bend";
}

TEST(ScaleSurfaces, LargerOnesAverageNoise) {
  constexpr double kNoise = 0.02;
  double small = 0, large = 0;
  const std::vector<double> points = paraboloid(512, 0, 0.2, 0.2, kNoise);
  const Vector up{0, 0, 1};
  const ScaleSurfaces found = scale_surfaces(512, points.data(), up.data());
  small = 1 - std::abs(found.normals[0][2]);
  large = 1 - std::abs(found.normals[kSurfaceScales - 1][2]);
  EXPECT_LT(large, 0.1 * small);
  const double spacing = found.spacing;
  EXPECT_NEAR(std::exp(found.numbers[kSurfaceScales - 1][0]) * spacing, kNoise, 0.1 * kNoise);
}

TEST(ScaleSurfaces, TurnsWithThePointsAndForgetsTheSignOfTheNormalAndTheOrder) {
  std::vector<double> points = paraboloid(300, 0.2, 0.5, -0.4, 0.03);
  const Vector n{0.1 / std::sqrt(1.05), -0.2 / std::sqrt(1.05), 1 / std::sqrt(1.05)};
  const ScaleSurfaces here = scale_surfaces(300, points.data(), n.data());
  // x -> (z, x, -y) is a reflection of a rotation, and exact.
  const auto move = [](const double* x) { return Vector{x[2], x[0], -x[1]}; };
  std::vector<double> moved(points.size());
  for (size_t k = 0; k < 300; ++k) {
    const Vector there = move(points.data() + 3 * (299 - k));
    std::copy(there.begin(), there.end(), moved.begin() + static_cast<std::ptrdiff_t>(3 * k));
  }
  Vector turned = move(n.data());
  for (double& value : turned) value = -value;
  const ScaleSurfaces there = scale_surfaces(300, moved.data(), turned.data());
  for (int s = 0; s < kSurfaceScales; ++s) {
    EXPECT_NEAR(std::abs(dot(move(here.normals[s]).data(), there.normals[s])), 1, 1e-12) << s;
    for (int c = 0; c < kSurfaceNumbers; ++c)
      EXPECT_NEAR(here.numbers[s][c], there.numbers[s][c], 1e-9) << s << ' ' << c;
  }
}

TEST(ScaleSurfaces, WhereNothingIsDeterminedTheNormalStands) {
  const Vector n{0, 0.6, 0.8};
  std::vector<double> line(300, 0.0), place(300, 0.0);
  for (size_t k = 0; k < 100; ++k) line[3 * k] = static_cast<double>(k);
  for (const auto& [points, count] :
       {std::pair(line.data(), 100), std::pair(place.data(), 100), std::pair(line.data(), 3)}) {
    const ScaleSurfaces found = scale_surfaces(count, points, n.data());
    for (int s = 0; s < kSurfaceScales; ++s) {
      EXPECT_NEAR(dot(found.normals[s], n.data()), 1, 1e-15);
      for (const double number : found.numbers[s]) EXPECT_EQ(number, 0);
    }
    EXPECT_GT(found.spacing, 0);
  }
}

}  // namespace
}  // namespace equiframe::kernels
