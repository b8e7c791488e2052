#include "datasets/shapes/organic_shapes.h"

#include <set>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"

namespace equiframe {
namespace {

TEST(OrganicShapes, DependOnSeedAndNumberAlone) {
  const auto points = [](uint64_t seed, int64_t number) {
    return random_organic(seed, number)->sample(100).points;
  };
  const Tensor third = points(4, 3);
  points(4, 0);
  EXPECT_TRUE(at::equal(third, points(4, 3)));
  EXPECT_FALSE(at::equal(third, points(4, 2)));
  EXPECT_FALSE(at::equal(third, points(5, 3)));
  const auto shape = random_organic(4, 3);
  EXPECT_FALSE(at::equal(third, shape->sample(100, 1).points));
  EXPECT_THROW(random_organic(4, -1), UserError);
}

TEST(OrganicShapes, FillTheUnitBallWithUnitNormals) {
  std::set<std::string> kinds;
  for (int64_t number = 0; number < 24; ++number) {
    const auto shape = random_organic(1, number);
    kinds.insert(shape->recipe());
    const ShapeSamples samples = shape->sample(1000);
    EXPECT_LT((samples.normals.norm(2, 1) - 1).abs().max().item<double>(), 1e-14);
    EXPECT_LE(samples.points.norm(2, 1).max().item<double>(), 1.001);
    const Tensor box = samples.points.amax(0) - samples.points.amin(0);
    EXPECT_GT(box.norm().item<double>(), 1.9) << shape->recipe();
    EXPECT_TRUE(samples.edge_distance.isinf().all().item<bool>());
    // Inside is behind the surface: on the whole a closed surface looks away from its centre.
    EXPECT_GT((samples.points * samples.normals).sum().item<double>(), 0) << shape->recipe();
  }
  EXPECT_GT(kinds.size(), 8U);
}

}  // namespace
}  // namespace equiframe
