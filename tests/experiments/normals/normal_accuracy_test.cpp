/// How accurate normals are, and whether the measure can tell.
#include "experiments/normals/normal_accuracy.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "datasets/shapes/shapes.h"
#include "equiframe/core/rng.h"
#include "normals/classical/classical_normals.h"

namespace {

using namespace equiframe::experiments;
using equiframe::Tensor;

constexpr double kRandom = 61.2;  // degrees: sqrt(pi - 2) radians

Tensor random_directions(int64_t count) {
  auto generator = equiframe::make_generator(3);
  const Tensor x = torch::randn({count, 3}, generator, torch::kFloat64);
  return x / x.norm(2, {1}, true);
}

AccuracyOptions small() {
  AccuracyOptions options;
  options.noise = {0, 0.01};
  options.neighbors = {6, 12, 24, 48};
  return options;
}

TEST(RmsAngle, ForgetsSignsAndKeepsSmallAngles) {
  const Tensor n = random_directions(100);
  EXPECT_LT(rms_angle(n, n), 1e-12);
  EXPECT_LT(rms_angle(n, -n), 1e-12);
  const Tensor z = torch::tensor({{0.0, 0.0, 1.0}}, torch::kFloat64);
  const Tensor tilted = torch::tensor({{1e-10, 0.0, 1.0}}, torch::kFloat64);
  EXPECT_NEAR(rms_angle(z, tilted), 1e-10 * 180 / M_PI, 1e-16);
  const Tensor x = torch::tensor({{1.0, 0.0, 0.0}}, torch::kFloat64);
  EXPECT_NEAR(rms_angle(z, x), 90, 1e-12);
}

TEST(RmsAngle, OfRandomDirectionsIsThatOfChance) {
  const Tensor z = torch::tensor({{0.0, 0.0, 1.0}}, torch::kFloat64).expand({5000, 3});
  EXPECT_NEAR(rms_angle(random_directions(5000), z), kRandom, 1);
}

TEST(NormalAccuracy, TheBestKIsAtLeastAsGoodAsAnyOther) {
  const auto result = measure_accuracy({named_surface("sphere", 500)}, small());
  ASSERT_EQ(result.cells.size(), 2U);
  const AccuracySurface& sphere = result.surfaces[0];
  for (const int64_t k : small().neighbors) {
    const double fixed =
        rms_angle(equiframe::pca_normals(sphere.points, k).normals, sphere.normals);
    EXPECT_LE(result.cells[0].pca.degrees, fixed + 1e-9) << k;
  }
  EXPECT_LT(result.cells[0].pca.degrees, 5);
  EXPECT_LT(result.cells[0].jet.degrees, result.cells[0].pca.degrees) << "a sphere is curved";
  for (const AccuracyCell& cell : result.cells) {
    EXPECT_GE(cell.chosen.degrees, 0);
    EXPECT_GT(cell.chosen.k, 0);
    EXPECT_TRUE(std::isnan(cell.network)) << "there is no network";
  }
  EXPECT_FALSE(result.has_network());
}

TEST(NormalAccuracy, NoiseHurtsAndWantsMoreNeighbours) {
  const auto result = measure_accuracy({named_surface("torus", 500)}, small());
  EXPECT_GT(result.cells[1].pca.degrees, result.cells[0].pca.degrees);
  EXPECT_GE(result.cells[1].pca.k, result.cells[0].pca.k);
}

TEST(NormalAccuracy, IsTheSameAtEveryCall) {
  const auto first = measure_accuracy({named_surface("torus", 300)}, small());
  const auto second = measure_accuracy({named_surface("torus", 300)}, small());
  for (size_t i = 0; i < first.cells.size(); ++i)
    EXPECT_EQ(first.cells[i].pca.degrees, second.cells[i].pca.degrees);
}

TEST(NormalAccuracy, CatchesNormalsThatHaveNothingToDoWithTheSurface) {
  AccuracySurface mutant = named_surface("sphere", 1000);
  mutant.normals = random_directions(1000);
  for (const AccuracyCell& cell : measure_accuracy({mutant}, small()).cells)
    for (const double degrees : {cell.pca.degrees, cell.jet.degrees, cell.chosen.degrees}) {
      EXPECT_GT(degrees, 50);
      EXPECT_LT(degrees, 70);
    }
}

TEST(NormalAccuracy, MeansAndRatiosAreOfOneKindAndNoise) {
  NormalAccuracy accuracy;
  accuracy.surfaces = {{"a", SurfaceKind::kHeldOut, {}, {}},
                       {"b", SurfaceKind::kHeldOut, {}, {}},
                       {"c", SurfaceKind::kNamed, {}, {}}};
  accuracy.noise = {0, 0.01};
  accuracy.cells = {{0, 0, {2, 8}, {3, 8}, {4, 8}, 1},
                    {1, 0, {4, 8}, {5, 8}, {6, 8}, 2},
                    {1, 0.01, {50, 8}, {50, 8}, {50, 8}, 50},
                    {2, 0, {70, 8}, {70, 8}, {70, 8}, 70}};
  const MeanAccuracy mean = mean_accuracy(accuracy, SurfaceKind::kHeldOut, 0);
  EXPECT_EQ(mean.pca, 3);
  EXPECT_EQ(mean.jet, 4);
  EXPECT_EQ(mean.chosen, 5);
  EXPECT_EQ(mean.ratio(), 0.5);
  EXPECT_TRUE(std::isnan(mean_accuracy(accuracy, SurfaceKind::kMesh, 0).ratio()));
  EXPECT_TRUE(accuracy.has(SurfaceKind::kNamed));
  EXPECT_FALSE(accuracy.has(SurfaceKind::kMesh));
}

TEST(AccuracySurfaces, HaveUnitNormals) {
  equiframe::CadOptions organic;
  organic.seed = 7;
  organic.kinds = {"organic"};
  const auto mesh = equiframe::named_shape("cube")->mesh();
  for (const AccuracySurface& surface :
       {named_surface("torus", 200), held_out_surface(organic, 0, 200),
        mesh_surface("cube.obj", mesh, 200)}) {
    EXPECT_EQ(surface.points.sizes(), surface.normals.sizes());
    EXPECT_EQ(surface.points.size(0), 200);
    EXPECT_LT((surface.normals.norm(2, {1}) - 1).abs().max().item<double>(), 1e-6);
  }
}

}  // namespace
