#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "normals/classical/classical_normals.h"
#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

using clouds::Surface;

/// Error with the k chosen, over the least error of any k.
double regret(const Surface& surface, NormalFit fit, int64_t& chosen) {
  const NeighborSearch search(surface.points);
  chosen = best_k(surface.points, search, {.fit = fit});
  double least = 180, own = 0;
  for (const int64_t k : {8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}) {
    const Tensor normals = estimate_normals(search, {.fit = fit, .k = k}).normals;
    const double angle = clouds::rms_angle(normals, surface.normals);
    least = std::min(least, angle);
    if (k == chosen) own = angle;
  }
  return own / least;
}

struct Shape {
  std::string name;
  Surface surface;
  double diagonal;
};

std::vector<Shape> shapes() {
  return {{"sphere", clouds::sphere(3000, 1), 2 * std::sqrt(3)},
          {"torus", clouds::torus(3000, 2), std::sqrt(6 * 6 + 6 * 6 + 2 * 2)},
          {"cube", clouds::box(3000, 3, 1, 1, 1), std::sqrt(3)}};
}

TEST(BestK, IsCloseToTheBestThereIs) {
  for (const Shape& shape : shapes()) {
    int64_t without_noise = 0, chosen = 0;
    for (const double noise : {0.0, 0.0025, 0.005, 0.01}) {
      const Surface cloud = clouds::noisy(shape.surface, noise * shape.diagonal, 4);
      EXPECT_LT(regret(cloud, NormalFit::kPca, chosen), 1.15) << shape.name << ", noise " << noise;
      if (noise == 0) without_noise = chosen;
    }
    EXPECT_GE(chosen, without_noise);
  }
}

TEST(BestK, KnowsThatJetsNeedMore) {
  const Surface cloud = clouds::noisy(clouds::torus(5000, 5), 0.0025 * 8.7, 6);
  int64_t chosen = 0;
  EXPECT_LT(regret(cloud, NormalFit::kJet, chosen), 1.15);
  EXPECT_GE(chosen, 48);
}

TEST(BestK, DependsOnTheSeedOnly) {
  const Tensor points = clouds::noisy(clouds::torus(6000, 7), 0.02, 8).points;
  const NeighborSearch search(points);
  int64_t one = 0;
  {
    const clouds::Threads threads(1);
    one = best_k(points, search, {.sample = 500, .seed = 9});
  }
  const clouds::Threads threads(2);
  EXPECT_EQ(best_k(points, search, {.sample = 500, .seed = 9}), one);
}

TEST(BestK, HasAnAnswerForFewPoints) {
  for (const int64_t n : {1, 7, 8, 20}) {
    const Tensor points = clouds::uniform(n, 10);
    EXPECT_GE(best_k(points, NeighborSearch(points)), 8);
  }
  const Tensor heap = at::ones({500, 3}, at::kDouble);
  EXPECT_GE(best_k(heap, NeighborSearch(heap)), 8);
}

}  // namespace
}  // namespace equiframe
