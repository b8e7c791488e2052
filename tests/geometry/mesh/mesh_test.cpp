#include "geometry/mesh/mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::corners;
using data_test::identical;
using data_test::message_of;
using data_test::rows;

/// A triangle of area 1/2 in z = 0, a square of two triangles with area 3/2 in x = 5 that looks
/// along -x, and two faces without area.
PointCloud patches() {
  return {rows({0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 5, 0, 1, 5, 1.5, 1, 5, 1.5, 0}),
          {},
          {},
          corners({1, 1, 2, 0, 1, 2, 3, 4, 5, 0, 0, 0, 3, 5, 6, 0, 1, 1})};
}

TEST(SampleSurface, PointsLieOnTheirFacesWithTheirNormals) {
  const PointCloud mesh = patches();
  const SurfaceSamples samples = sample_surface(mesh, 300, Rng{3});
  for (int64_t k = 0; k < 300; ++k) {
    const Tensor triangle =
        mesh.points.index_select(0, mesh.faces[samples.faces[k].item<int64_t>()]);  // [3, 3]
    const Tensor u = triangle[1] - triangle[0], v = triangle[2] - triangle[0];
    const Tensor normal = at::cross(u, v) / at::cross(u, v).norm();
    ASSERT_LT((samples.normals[k] - normal).abs().max().item<double>(), 1e-14);
    const Tensor basis = at::stack({u, v, normal}, 1);
    const Tensor place = at::matmul(basis.inverse(), samples.points[k] - triangle[0]);
    ASSERT_GE(place.min().item<double>(), -1e-12);
    ASSERT_LE((place[0] + place[1]).item<double>(), 1 + 1e-12);
    ASSERT_NEAR(place[2].item<double>(), 0, 1e-12);
  }
}

TEST(SampleSurface, IsUniformByArea) {
  const int64_t count = 100'000;
  const SurfaceSamples samples = sample_surface(patches(), count, Rng{1, 4});
  const Tensor shares = at::bincount(samples.faces, {}, 6).to(at::kDouble) / count;
  const Tensor expected = at::tensor({0.0, 0.25, 0.375, 0.0, 0.375, 0.0}, at::kDouble);
  EXPECT_LT((shares - expected).abs().max().item<double>(), 0.006);  // four standard deviations
  EXPECT_EQ(shares[0].item<double>() + shares[3].item<double>() + shares[5].item<double>(), 0);
  // The mean of a triangle is its centroid, the covariance that of the uniform distribution.
  const Tensor first = samples.points.index_select(0, samples.faces.eq(1).nonzero().view(-1));
  const Tensor centred = first - first.mean(0);
  const Tensor covariance = at::matmul(centred.t(), centred) / first.size(0);
  EXPECT_NEAR(first.mean(0)[0].item<double>(), 1.0 / 3, 0.006);
  EXPECT_NEAR(covariance[0][0].item<double>(), 1.0 / 18, 0.002);
  EXPECT_NEAR(covariance[0][1].item<double>(), -1.0 / 36, 0.002);
}

TEST(SampleSurface, SameSeedSamePointsAndMoreBeginWithTheSame) {
  const SurfaceSamples few = sample_surface(patches(), 10, Rng{5});
  const SurfaceSamples many = sample_surface(patches(), 9000, Rng{5});
  EXPECT_TRUE(identical(few.points, many.points.narrow(0, 0, 10)));
  EXPECT_TRUE(identical(few.faces, many.faces.narrow(0, 0, 10)));
  EXPECT_FALSE(at::equal(few.points, sample_surface(patches(), 10, Rng{6}).points));
  EXPECT_FALSE(at::equal(few.points, sample_surface(patches(), 10, Rng{5, 1}).points));
  EXPECT_EQ(sample_surface(patches(), 0, Rng{5}).points.sizes(), (at::IntArrayRef{0, 3}));
}

TEST(SampleSurface, KeepsItsDigitsFarFromTheOrigin) {
  PointCloud far = patches();
  const Tensor offset = at::tensor({4e5, 5e6, 100.0}, at::kDouble);
  far.points = far.points + offset;
  const SurfaceSamples here = sample_surface(patches(), 500, Rng{2});
  const SurfaceSamples there = sample_surface(far, 500, Rng{2});
  EXPECT_LT((there.points - offset - here.points).abs().max().item<double>(), 2e-9);
  EXPECT_LT((there.normals - here.normals).abs().max().item<double>(), 1e-14);
}

TEST(SampleSurface, SaysWhyItCannot) {
  const auto complaint = [](const PointCloud& mesh) {
    return message_of<UserError>([&] { sample_surface(mesh, 3, Rng{}); });
  };
  PointCloud mesh = patches();
  mesh.faces = corners({0, 0, 1, 2, 2, 2});
  EXPECT_EQ(complaint(mesh), "none of the 2 faces of the mesh has an area; expected a surface");
  mesh.faces = Tensor();
  EXPECT_EQ(complaint(mesh), "the mesh has no faces; expected triangles to draw points from");
  mesh = patches();
  mesh.points[4][1] = NAN;
  EXPECT_EQ(complaint(mesh),
            "face 2 of the mesh has a corner that is not finite; drop invalid points first");
  mesh.faces = corners({0, 1, 9});
  EXPECT_THROW(sample_surface(mesh, 3, Rng{}), c10::Error);
  EXPECT_THROW(sample_surface(patches(), -1, Rng{}), c10::Error);
}

}  // namespace
}  // namespace equiframe
