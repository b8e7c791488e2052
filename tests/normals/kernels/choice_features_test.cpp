/// What `normal-choice` sees of a point and of a cloud.
#include "normals/kernels/choice_features.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace equiframe::kernels {
namespace {

std::vector<double> random_row() {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 1);
  std::vector<double> row(static_cast<size_t>(kChoiceChannels));
  for (double& value : row) value = normal(random);
  for (size_t c = 0; c < static_cast<size_t>(3 * kCandidates); c += 3) {
    const double length = std::hypot(row[c], row[c + 1], row[c + 2]);
    for (size_t i = 0; i < 3; ++i) row[c + i] /= length;
  }
  return row;
}

std::vector<double> features(const std::vector<double>& row) {
  std::vector<double> result(static_cast<size_t>(kChoiceFeatures));
  choice_features<double>(row.data(), result.data());
  return result;
}

TEST(ChoiceFeatures, ForgetMotionsAndSignsOfCandidates) {
  const std::vector<double> row = random_row();
  std::vector<double> moved = row;
  for (size_t c = 0; c < static_cast<size_t>(3 * kCandidates); c += 3) {
    const double sign = c % 2 == 0 ? 1 : -1;
    moved[c] = sign * row[c + 2];
    moved[c + 1] = sign * row[c];
    moved[c + 2] = -sign * row[c + 1];
  }
  const std::vector<double> here = features(row), there = features(moved);
  for (size_t k = 0; k < here.size(); ++k) EXPECT_NEAR(here[k], there[k], 1e-12) << k;
  moved[0] += 0.1;
  EXPECT_GT(std::abs(features(moved)[0] - here[0]), 1e-3) << "angles count";
}

TEST(ChoiceFeatures, TheHeaviestCandidateIsChosen) {
  const std::vector<double> row = random_row();
  for (size_t c = 0; c < static_cast<size_t>(kCandidates); ++c) {
    std::vector<double> logits(static_cast<size_t>(kCandidates), 1000.0);
    logits[c] = 1040;
    std::array<double, 3> chosen{};
    choose_normal<double>(row.data(), logits.data(), chosen.data());
    const double* n = row.data() + 3 * c;
    EXPECT_NEAR(std::abs(chosen[0] * n[0] + chosen[1] * n[1] + chosen[2] * n[2]), 1, 1e-12) << c;
  }
}

/// Neighbourhoods of height noise, and of waves as high, which are shape.
std::vector<float> smoothness(double noise, double waves) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> side(-1, 1);
  std::normal_distribution<double> off(0, 1);
  constexpr int kPoints = 512, kPlaces = 40;
  std::vector<ScaleSurfaces> surfaces;
  const std::array<double, 3> up{0, 0, 1};
  for (int place = 0; place < kPlaces; ++place) {
    std::vector<double> points;
    const double phase = side(random);
    for (int k = 0; k < kPoints; ++k) {
      const double x = side(random), y = side(random);
      points.insert(points.end(), {x, y, noise * off(random) + waves * std::sin(9 * (x + phase))});
    }
    surfaces.push_back(scale_surfaces(kPoints, points.data(), up.data()));
  }
  std::vector<float> numbers(static_cast<size_t>(kSmoothnessNumbers));
  smoothness_numbers(kPlaces, surfaces.data(), numbers.data());
  return numbers;
}

TEST(ChoiceFeatures, SmoothnessTellsNoiseFromShape) {
  const std::vector<float> noisy = smoothness(0.05, 0), wavy = smoothness(0.0, 0.07);
  const size_t scatter = noisy.size() - 2, turn = noisy.size() - 1;  // of the largest scale
  EXPECT_LT(noisy[scatter], 0.3) << "as much scatter on every scale";
  EXPECT_GT(wavy[scatter], 0.6);
  EXPECT_LT(noisy[turn], wavy[turn]) << "normals of large scales agree";
  for (const float number : smoothness(0, 0)) EXPECT_TRUE(std::isfinite(number));
}

}  // namespace
}  // namespace equiframe::kernels
