#include "normals/classical/classical_normals.h"

#include <gtest/gtest.h>

#include "tests/geometry/clouds.h"

namespace equiframe {
namespace {

using clouds::Surface;

Tensor rotation() {
  at::manual_seed(5);
  return std::get<0>(at::linalg_qr(at::randn({3, 3}, at::kDouble)));
}

TEST(PcaNormals, OfAPlaneAreExact) {
  const Tensor flat = clouds::uniform(500, 1) * at::tensor({1.0, 1.0, 0.0}, at::kDouble);
  const Tensor up = at::tensor({0.0, 0.0, 1.0}, at::kDouble).expand({500, 3});
  const PointNormals found = pca_normals(flat, 10);
  EXPECT_LT(at::linalg_cross(found.normals, up, 1).abs().max().item<double>(), 1e-14);
  EXPECT_LT(found.variation.abs().max().item<double>(), 1e-28);
  EXPECT_FALSE(found.degenerate.any().item<bool>());
}

TEST(PcaNormals, PointOutOfASphere) {
  const Surface sphere = clouds::sphere(4000, 2);
  const PointNormals found = pca_normals(sphere.points, 20);
  EXPECT_LT(clouds::rms_angle(found.normals, sphere.normals), 1.5);
  EXPECT_EQ(clouds::agreeing(found.normals, sphere.normals), 1);
}

TEST(PcaNormals, TurnWithTheCloud) {
  const Tensor torus = clouds::noisy(clouds::torus(3000, 3), 0.01, 4).points;
  const Tensor turn = rotation();
  for (const NormalFit fit : {NormalFit::kPca, NormalFit::kJet}) {
    const NormalOptions options{.fit = fit, .k = 24};
    const PointNormals before = estimate_normals(NeighborSearch(torus), options);
    const PointNormals after =
        estimate_normals(NeighborSearch(at::matmul(torus, turn.t())), options);
    EXPECT_LT((after.normals - at::matmul(before.normals, turn.t())).abs().max().item<double>(),
              1e-10);
    EXPECT_LT((after.variation - before.variation).abs().max().item<double>(), 1e-12);
  }
}

TEST(PcaNormals, KeepTheirDigitsFarFromTheOrigin) {
  // The offset is a multiple of what float64 resolves there, so the moved cloud is the same cloud.
  const Tensor near = (clouds::sphere(2000, 6).points * 0x1p20).round() * 0x1p-20;
  const Tensor far = near + at::tensor({500000.0, 5400000.0, 300.0}, at::kDouble);
  EXPECT_TRUE(at::equal(pca_normals(near, 16).normals, pca_normals(far, 16).normals));
  EXPECT_TRUE(at::equal(jet_normals(near, 16).normals, jet_normals(far, 16).normals));
}

TEST(PcaNormals, FlagNeighboursThatSpanNoPlane) {
  const Tensor line =
      clouds::uniform(100, 7).slice(1, 0, 1) * at::tensor({0.3, -0.2, 0.9}, at::kDouble);
  const Tensor sheet = clouds::uniform(100, 8) * at::tensor({1.0, 1.0, 0.0}, at::kDouble) + 5;
  const Tensor heap = at::full({50, 3}, -7.0, at::kDouble);
  const Tensor pair =
      at::cat({at::full({20, 3}, 20.0, at::kDouble), at::full({20, 3}, 21.0, at::kDouble)});
  for (const NormalFit fit : {NormalFit::kPca, NormalFit::kJet}) {
    const PointNormals found =
        estimate_normals(NeighborSearch(at::cat({line, sheet, heap, pair})), {.fit = fit, .k = 25});
    EXPECT_TRUE(found.degenerate.slice(0, 0, 100).all().item<bool>());
    EXPECT_FALSE(found.degenerate.slice(0, 100, 200).any().item<bool>());
    EXPECT_TRUE(found.degenerate.slice(0, 200).all().item<bool>());
    EXPECT_LT((found.normals.norm(2, {1}) - 1).abs().max().item<double>(), 1e-14);
  }
}

TEST(PcaNormals, ExistForOneTwoAndThreePoints) {
  for (const int64_t n : {1, 2, 3}) {
    const PointNormals found = pca_normals(clouds::uniform(n, 9), 16);
    EXPECT_EQ(found.normals.sizes(), (std::vector<int64_t>{n, 3}));
    EXPECT_TRUE(found.normals.isfinite().all().item<bool>());
    EXPECT_EQ(found.degenerate.any().item<bool>(), n < 3);
  }
}

TEST(PcaNormals, VariationTellsSurfacesFromHeaps) {
  EXPECT_LT(pca_normals(clouds::torus(5000, 10).points, 16).variation.mean().item<double>(), 0.01);
  EXPECT_GT(pca_normals(clouds::uniform(5000, 11), 16).variation.mean().item<double>(), 0.1);
}

TEST(PcaNormals, DoNotDependOnThreads) {
  const Tensor points = clouds::noisy(clouds::torus(20'000, 12), 0.02, 13).points;
  const NeighborSearch search(points);
  Tensor one, two;
  {
    const clouds::Threads threads(1);
    one = estimate_normals(search, {.fit = NormalFit::kJet, .k = 20}).normals;
  }
  {
    const clouds::Threads threads(2);
    two = estimate_normals(search, {.fit = NormalFit::kJet, .k = 20}).normals;
  }
  EXPECT_TRUE(at::equal(one, two));
}

TEST(PcaNormals, HaveTheTypeOfThePoints) {
  const Surface sphere = clouds::sphere(1000, 14);
  const PointNormals found = pca_normals(sphere.points.to(at::kFloat), 16);
  EXPECT_EQ(found.normals.scalar_type(), at::kFloat);
  EXPECT_EQ(found.variation.scalar_type(), at::kFloat);
  EXPECT_LT(clouds::rms_angle(found.normals, sphere.normals), 3);
}

TEST(JetNormals, OfAParaboloidAreExact) {
  // The cloud is its own mirror image, so that its plane of least squares is level, and the
  // neighbourhood of each point is all of it.
  const Tensor half = clouds::uniform(100, 15).slice(1, 0, 2) * 0.5;
  const Tensor xy = at::cat({half, -half}), x = xy.select(1, 0), y = xy.select(1, 1);
  const Tensor points = at::stack({x, y, x * x / 4 - x * y / 5}, 1);
  const Tensor slope = at::stack({-(x / 2 - y / 5), x / 5, at::ones_like(x)}, 1);
  const Tensor expected = slope / slope.norm(2, {1}, true);
  const Tensor normals = jet_normals(points, 200).normals;
  EXPECT_LT(at::linalg_cross(normals, expected, 1).abs().max().item<double>(), 1e-12);
  EXPECT_GT(clouds::rms_angle(pca_normals(points, 200).normals, expected), 5);
}

TEST(JetNormals, AreBetterThanPlanesOnCurvedSurfaces) {
  const Surface torus = clouds::torus(8000, 16);
  EXPECT_LT(clouds::rms_angle(jet_normals(torus.points, 24).normals, torus.normals),
            0.2 * clouds::rms_angle(pca_normals(torus.points, 24).normals, torus.normals));
}

TEST(JetNormals, FallBackToThePlane) {
  const Tensor points = clouds::sphere(300, 17).points;
  EXPECT_TRUE(at::equal(jet_normals(points, 5).normals, pca_normals(points, 5).normals));
  // On two crossing lines no quadratic is determined.
  const Tensor t = at::linspace(-1, 1, 20, at::kDouble).unsqueeze(1);
  const Tensor cross = at::cat(
      {t * at::tensor({1.0, 0.0, 0.0}, at::kDouble), t * at::tensor({0.0, 1.0, 0.0}, at::kDouble)});
  EXPECT_TRUE(at::equal(jet_normals(cross, 40).normals, pca_normals(cross, 40).normals));
}

}  // namespace
}  // namespace equiframe
