#include "datasets/shapes/implicit_surface.h"

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "datasets/shapes/random_field.h"
#include "tests/datasets/shapes/shape_checks.h"

namespace equiframe::implicit {
namespace {

Vector3 random_vector(double reach, RandomDraws& draws) {
  return {draws.between(-reach, reach), draws.between(-reach, reach), draws.between(-reach, reach)};
}

/// A few of each kind.
std::vector<RandomField> many_fields() {
  std::vector<RandomField> fields;
  RandomDraws draws(5);
  for (int k = 0; k < 40; ++k) fields.push_back(random_field(draws));
  return fields;
}

TEST(ImplicitFields, GradientsAreThoseOfTheValues) {
  RandomDraws draws(1);
  for (const RandomField& random : many_fields()) {
    for (int k = 0; k < 10; ++k) {
      const Vector3 p = random_vector(1, draws);
      const auto value = random.field->at(p);
      for (size_t axis = 0; axis < 3; ++axis) {
        constexpr double kStep = 1e-5;
        Vector3 above = p, below = p;
        above[axis] += kStep;
        below[axis] -= kStep;
        const double slope =
            (random.field->at(above).value - random.field->at(below).value) / (2 * kStep);
        EXPECT_NEAR(value.gradient[axis], slope, 1e-4 * (1 + std::abs(slope))) << random.recipe;
      }
    }
  }
}

TEST(ImplicitFields, RangesEncloseTheValues) {
  RandomDraws draws(2);
  for (const RandomField& random : many_fields()) {
    for (int k = 0; k < 20; ++k) {
      const Vector3 centre = random_vector(1.2, draws);
      const double radius = draws.between(0.01, 0.5);
      const auto range = random.field->range(centre, radius);
      for (int j = 0; j < 50; ++j) {
        Vector3 offset = random_vector(1, draws);
        offset = (radius * std::min(1.0, 1 / length(offset))) * offset;
        const double value = random.field->at(centre + offset).value;
        ASSERT_GE(value, range.low - 1e-12) << random.recipe;
        ASSERT_LE(value, range.high + 1e-12) << random.recipe;
      }
    }
  }
}

/// Every side of a triangle must be the side of one other, run the other way.
bool is_closed(const FieldMesh& mesh) {
  std::map<std::array<int64_t, 2>, int> sides;
  for (const auto& [a, b, c] : mesh.triangles) {
    for (const auto& side : {std::array{a, b}, std::array{b, c}, std::array{c, a}})
      if (++sides[side] > 1) return false;
  }
  for (const auto& [side, count] : sides)
    if (!sides.contains({side[1], side[0]})) return false;
  return true;
}

TEST(MarchingTetrahedra, GiveClosedMeshesOfTheRightTopology) {
  const auto euler = [](const FieldMesh& mesh) {
    return static_cast<int64_t>(mesh.vertices.size()) -
           static_cast<int64_t>(mesh.triangles.size()) / 2;  // V - E + F with 2E = 3F
  };
  const FieldMesh ball = march(*torus_field(0, 0.8), 1, 21);
  const FieldMesh torus = march(*torus_field(0.6, 0.25), 1, 37);
  EXPECT_TRUE(is_closed(ball));
  EXPECT_TRUE(is_closed(torus));
  EXPECT_EQ(euler(ball), 2);
  EXPECT_EQ(euler(torus), 0);
}

TEST(MarchingTetrahedra, KeepTheLargestPiece) {
  const FieldPointer two =
      blobs_field({{{-0.5, 0, 0}, 1 / 0.09, 1}, {{0.6, 0, 0}, 1 / 0.01, 1}}, 0.5);
  const FieldMesh both = march(*two, 1, 48), one = largest_piece(both);
  EXPECT_LT(one.triangles.size(), both.triangles.size());
  EXPECT_TRUE(is_closed(one));
  for (const Vector3& p : one.vertices) EXPECT_LT(p[0], 0);
}

TEST(ImplicitSurface, SamplesByAreaOnTheZeroSet) {
  constexpr int kCount = 40000, kBins = 10;
  const auto ball = ImplicitSurface::make(torus_field(0, 0.8), 1);
  ASSERT_NE(ball, nullptr);
  RandomDraws draws(3);
  std::array<int, kBins> bins{};
  double radius = 0;  // of the normalised ball: its box has the half diagonal 1
  for (int k = 0; k < kCount; ++k) {
    const SurfacePlace place = ball->random_place(draws);
    if (k == 0) radius = length(place.point);
    EXPECT_NEAR(length(place.point), radius, 1e-13);
    EXPECT_NEAR(dot(place.point, place.normal), radius, 1e-13);
    const double height = place.point[2] / radius;  // uniform in [-1, 1]
    ++bins[static_cast<size_t>(
        std::min<int>(kBins - 1, static_cast<int>((height + 1) / 2 * kBins)))];
  }
  EXPECT_NEAR(radius, 1 / std::sqrt(3), 1e-3);
  double chi_squared = 0;
  for (const int bin : bins) {
    const double expected = static_cast<double>(kCount) / kBins;
    chi_squared += (bin - expected) * (bin - expected) / expected;
  }
  EXPECT_LT(chi_squared, 30);  // nine degrees of freedom: one in two thousand is above
}

TEST(ImplicitSurface, RefusesWhatIsNotThereOrDoesNotFit) {
  EXPECT_EQ(ImplicitSurface::make(torus_field(0, 0.99), 1), nullptr);
  EXPECT_EQ(ImplicitSurface::make(torus_field(0, 2), 1), nullptr);
}

TEST(ImplicitSurface, MeshesFaceOut) {
  RandomDraws draws(9);
  for (int k = 0; k < 6; ++k) {
    const auto surface = ImplicitSurface::make(random_field(draws).field, kFieldReach);
    if (!surface) continue;
    const PointCloud mesh = surface->mesh();
    EXPECT_GT(data_test::enclosed_volume(mesh), 0);
    const Tensor length = mesh.normals.norm(2, 1);
    EXPECT_LT((length - 1).abs().max().item<float>(), 1e-5F);
  }
}

}  // namespace
}  // namespace equiframe::implicit
