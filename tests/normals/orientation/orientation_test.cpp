#include "normals/orientation/orientation.h"

#include <gtest/gtest.h>

#include "normals/classical/classical_normals.h"
#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

using clouds::Surface;

/// `normals` with signs drawn by lot.
Tensor scrambled(const Tensor& normals) {
  at::manual_seed(1);
  return normals * (at::randint(0, 2, {normals.size(0), 1}, at::kDouble) * 2 - 1);
}

OrientedNormals oriented(const Tensor& points, const Tensor& normals, Orientation rule) {
  return orient_normals(NeighborSearch(points), points, normals, {.rule = rule});
}

Surface moved(Surface surface, double x, double y, double z) {
  surface.points = surface.points + at::tensor({x, y, z}, at::kDouble);
  return surface;
}

Surface both(const Surface& a, const Surface& b) {
  return {at::cat({a.points, b.points}), at::cat({a.normals, b.normals})};
}

void expect_outward(const Surface& surface, int64_t parts) {
  const Tensor normals = scrambled(pca_normals(surface.points, 16).normals);
  const OrientedNormals found = oriented(surface.points, normals, Orientation::kOutward);
  EXPECT_EQ(clouds::agreeing(found.normals, surface.normals), 1);
  EXPECT_EQ(found.parts, parts);
}

TEST(Orientation, OutOfASphereAndATorus) {
  expect_outward(clouds::sphere(3000, 1), 1);
  expect_outward(clouds::torus(6000, 2), 1);
}

TEST(Orientation, OutOfSeparateSpheres) {
  expect_outward(both(clouds::sphere(2000, 3), moved(clouds::sphere(1000, 4), 5, 0, -7)), 2);
}

TEST(Orientation, OutOfAThinPlate) {
  // Twenty times as wide as thick, and the opposite side is about four points away. On the rim a
  // normal may be across that of its own face.
  const Surface plate = clouds::box(12'000, 5, 2, 2, 0.1);
  const Tensor normals = scrambled(pca_normals(plate.points, 10).normals);
  const OrientedNormals found = oriented(plate.points, normals, Orientation::kOutward);
  EXPECT_GT(clouds::agreeing(found.normals, plate.normals), 0.999);
  EXPECT_EQ(found.parts, 1);
}

TEST(Orientation, AcrossSharpEdges) {
  const Surface cube = clouds::box(8000, 6, 1, 1, 1);
  const OrientedNormals found =
      oriented(cube.points, scrambled(cube.normals), Orientation::kOutward);
  EXPECT_EQ(clouds::agreeing(found.normals, cube.normals), 1);
}

TEST(Orientation, SurvivesNoise) {
  const Surface cloud = clouds::noisy(clouds::torus(8000, 7), 0.04, 8);
  const Tensor normals = scrambled(pca_normals(cloud.points, 64).normals);
  const OrientedNormals found = oriented(cloud.points, normals, Orientation::kOutward);
  EXPECT_GT(clouds::agreeing(found.normals, cloud.normals), 0.999);
}

TEST(Orientation, SurvivesMapCoordinates) {
  expect_outward(moved(clouds::sphere(3000, 9), 500000, 5400000, 300), 1);
}

TEST(Orientation, OfAnOpenSheetIsUp) {
  const Tensor xy = clouds::uniform(3000, 10);
  const Tensor height = at::sin(3 * xy.select(1, 0)) * 0.1;
  const Tensor sheet = at::stack({xy.select(1, 0), xy.select(1, 1), height}, 1);
  const Tensor normals = scrambled(pca_normals(sheet, 16).normals);
  for (const Orientation rule : {Orientation::kMst, Orientation::kOutward}) {
    const OrientedNormals found = oriented(sheet, normals, rule);
    EXPECT_TRUE((found.normals.select(1, 2) > 0).all().item<bool>());
  }
}

TEST(Orientation, MstLooksUpAtTheHighestPoint) {
  // Of a bowl, the highest point is on the rim, where its inside looks up more than its outside.
  const Surface sphere = clouds::sphere(6000, 11);
  const Tensor lower = (sphere.points.select(1, 2) < -0.3).nonzero().squeeze(1);
  const Tensor bowl = sphere.points.index_select(0, lower);
  const Tensor inward = -sphere.normals.index_select(0, lower);
  const OrientedNormals found =
      oriented(bowl, scrambled(pca_normals(bowl, 16).normals), Orientation::kMst);
  EXPECT_EQ(clouds::agreeing(found.normals, inward), 1);
}

TEST(Orientation, TowardsAViewpoint) {
  const Surface sphere = clouds::sphere(500, 12);
  const OrientedNormals found =
      orient_normals(NeighborSearch(sphere.points), sphere.points, scrambled(sphere.normals),
                     {.rule = Orientation::kViewpoint, .viewpoint = {0, 0, 0}});
  EXPECT_EQ(clouds::agreeing(found.normals, -sphere.normals), 1);
}

TEST(Orientation, NoneLeavesNormalsAlone) {
  const Surface sphere = clouds::sphere(100, 13);
  const Tensor normals = scrambled(sphere.normals);
  EXPECT_TRUE(at::equal(oriented(sphere.points, normals, Orientation::kNone).normals, normals));
}

TEST(Orientation, DependsNeitherOnThreadsNorOnTheSignsGiven) {
  const Surface torus = clouds::torus(10'000, 14);
  const Tensor normals = pca_normals(torus.points, 16).normals;
  Tensor one, two;
  {
    const clouds::Threads threads(1);
    one = oriented(torus.points, normals, Orientation::kMst).normals;
  }
  {
    const clouds::Threads threads(2);
    two = oriented(torus.points, scrambled(normals), Orientation::kMst).normals;
  }
  EXPECT_TRUE(at::equal(one, two));
}

TEST(Orientation, WorksOnFewPointsAndFloat32) {
  for (const int64_t n : {1, 2, 3, 30}) {
    const Tensor points = clouds::uniform(n, 15).to(at::kFloat);
    const Tensor normals = pca_normals(points, 5).normals;
    for (const Orientation rule : {Orientation::kMst, Orientation::kOutward}) {
      const OrientedNormals found = oriented(points, normals, rule);
      EXPECT_EQ(found.normals.scalar_type(), at::kFloat);
      EXPECT_TRUE(at::equal(found.normals.abs(), normals.abs()));
    }
  }
}

}  // namespace
}  // namespace equiframe
