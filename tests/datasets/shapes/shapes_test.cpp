#include "datasets/shapes/shapes.h"

#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "tests/datasets/shapes/shape_checks.h"
#include "tests/io/temporary_folder.h"

namespace equiframe {
namespace {

using data_test::enclosed_volume;
using data_test::message_of;

class NamedShapes : public testing::TestWithParam<std::string> {};

TEST_P(NamedShapes, PointsLieOnTheSurfaceWithItsNormals) {
  const auto shape = named_shape(GetParam());
  const ShapeSamples samples = shape->sample(2000);
  EXPECT_LT(signed_distance(GetParam(), samples.points).abs().max().item<double>(), 1e-15);
  EXPECT_LT((samples.normals.norm(2, 1) - 1).abs().max().item<double>(), 1e-14);
  EXPECT_LE(samples.points.norm(2, 1).max().item<double>(), 1 + 1e-14);
  // A step along the normal is a step away from the surface, as long as no edge is near.
  const double step = 1e-3;
  const Tensor clear = samples.edge_distance > 2 * step;
  for (const double side : {step, -step}) {
    const Tensor moved = signed_distance(GetParam(), samples.points + side * samples.normals);
    EXPECT_LT((moved - side).abs().masked_select(clear).max().item<double>(), 1e-12);
  }
}

TEST_P(NamedShapes, DrawsDifferAndRepeat) {
  const auto shape = named_shape(GetParam());
  const Tensor first = shape->sample(50).points;
  EXPECT_TRUE(at::equal(first, named_shape(GetParam())->sample(50).points));
  EXPECT_TRUE(at::equal(first.narrow(0, 0, 20), shape->sample(20).points));
  EXPECT_FALSE(at::equal(first, shape->sample(50, 1).points));
}

TEST_P(NamedShapes, MeshHasTheNormalsAndFacesOut) {
  const PointCloud mesh = named_shape(GetParam())->mesh();
  EXPECT_LT(signed_distance(GetParam(), mesh.points).abs().max().item<double>(), 1e-14);
  // By throwing points at the cube around the unit ball.
  const Tensor thrown = at::rand({200000, 3}, make_generator(3), at::kDouble) * 2 - 1;
  const double share =
      (signed_distance(GetParam(), thrown) < 0).to(at::kDouble).mean().item<double>();
  EXPECT_NEAR(enclosed_volume(mesh), 8 * share, 0.06);
}

INSTANTIATE_TEST_SUITE_P(All, NamedShapes, testing::ValuesIn(shape_names()),
                         [](const auto& test) { return test.param; });

TEST(NamedShapes, AreSampledByArea) {
  constexpr int64_t kCount = 100000;
  const auto share = [](const Tensor& mask) { return mask.to(at::kDouble).mean().item<double>(); };
  const double tolerance = 5 * std::sqrt(0.25 / kCount);
  // A torus has more area on its outer half: (πR + 2r) / 2πR.
  const Tensor torus = named_shape("torus")->sample(kCount).points;
  const Tensor outer = torus.narrow(1, 0, 2).norm(2, 1) > 0.7;
  EXPECT_NEAR(share(outer), 0.5 + 0.3 / (std::numbers::pi * 0.7), tolerance);
  const ShapeSamples cylinder = named_shape("cylinder")->sample(kCount);
  const double side = 2 * 0.6 * 1.6, caps = 2 * 0.6 * 0.6;  // over π
  EXPECT_NEAR(share(cylinder.patches == 0), side / (side + caps), tolerance);
  const Tensor cap =
      cylinder.points.masked_select((cylinder.patches == 1).unsqueeze(1)).view({-1, 3});
  EXPECT_NEAR(share(cap.narrow(1, 0, 2).norm(2, 1) < 0.3), 0.25, 4 * tolerance);
  const Tensor ball = named_shape("sphere")->sample(kCount).points;
  EXPECT_NEAR(share(ball.select(1, 2) > 0.5), 0.25, tolerance);
}

TEST(NamedShapes, KnowTheirEdges) {
  const ShapeSamples cube = named_shape("cube")->sample(2000);
  // The second largest coordinate is the one nearest to an edge.
  const Tensor sorted = std::get<0>(cube.points.abs().sort(1));
  const Tensor expected = std::numbers::inv_sqrt3 - sorted.select(1, 1);
  EXPECT_LT((cube.edge_distance - expected).abs().max().item<double>(), 1e-15);
  EXPECT_TRUE(named_shape("capsule")->sample(10).edge_distance.isinf().all().item<bool>());
}

TEST(NamedShapes, RefuseUnknownNames) {
  const std::string text = message_of<UserError>([] { named_shape("spheer"); });
  EXPECT_NE(text.find("did you mean 'sphere'"), std::string::npos) << text;
  EXPECT_THROW(named_shape("cube")->sample(-1), UserError);
}

}  // namespace
}  // namespace equiframe
