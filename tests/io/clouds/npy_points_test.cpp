#include <climits>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "equiframe/io/npy.h"
#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::CloudFile;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

class NpyPoints : public testing::Test {
 protected:
  CloudFile file_{".npy"};
};

TEST_F(NpyPoints, RoundTrips) {
  const PointCloud mesh = data_test::coloured_mesh();
  expect_identical(file_.round_trip(mesh), {mesh.points, mesh.normals, {}, {}});
  expect_identical(file_.round_trip(data_test::survey()), data_test::survey());
  PointCloud near{at::rand({50, 3}).to(at::kDouble), {}, {}, {}};
  expect_identical(file_.round_trip(near), near);
  EXPECT_EQ(read_npy(file_.path()).scalar_type(), at::kFloat);
}

TEST_F(NpyPoints, ReadsOtherTypes) {
  write_npy(file_.path(), at::tensor({1, 2, 3, 4, 5, 6}, at::kInt).view({2, 3}));
  EXPECT_TRUE(identical(read_points(file_.path()).points, rows({1, 2, 3, 4, 5, 6})));
  const Tensor halves = at::arange(12).view({2, 6}) / 2;
  write_npy(file_.path(), halves.to(at::kHalf));
  const PointCloud cloud = read_points(file_.path());
  EXPECT_TRUE(identical(cloud.points, halves.narrow(1, 0, 3).to(at::kDouble)));
  EXPECT_TRUE(identical(cloud.normals, halves.narrow(1, 3, 3).to(at::kFloat)));
}

TEST_F(NpyPoints, RefusesOtherShapesAndInvalidPoints) {
  const auto complaint = [&](const Tensor& values) {
    write_npy(file_.path(), values);
    return data_test::message_of<UserError>([&] { read_points(file_.path()); });
  };
  EXPECT_NE(complaint(at::zeros({4, 2})).find("shape [4, 2]; expected [N, 3]"), std::string::npos);
  EXPECT_NE(complaint(at::zeros({12})).find("shape [12]; expected"), std::string::npos);
  EXPECT_NE(complaint(at::tensor({0.0, 0.0, 0.0, 1.0, NAN, 2.0}).view({2, 3}))
                .find("point 1 is (1, nan, 2)"),
            std::string::npos);
  EXPECT_EQ(read_points(file_.path(), {InvalidPoints::kKeep}).size(), 2);
  EXPECT_NE(file_.complaint("").find("empty"), std::string::npos);
  EXPECT_NE(file_.complaint("ply\n").find("is not a .npy file"), std::string::npos);
  const std::string whole = file_.written(data_test::survey(4));
  EXPECT_NE(file_.complaint(whole.substr(0, whole.size() - 1)).find("found 95"), std::string::npos);
  EXPECT_NE(complaint(at::tensor({0, INT_MAX, 0}).to(at::kHalf).view({1, 3})).find("point 0"),
            std::string::npos);
}

}  // namespace
}  // namespace equiframe
