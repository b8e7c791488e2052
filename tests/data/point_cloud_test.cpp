#include "equiframe/data/point_cloud.h"

#include <cmath>

#include <gtest/gtest.h>

#include "cloud_files.h"

namespace equiframe {
namespace {

using data_test::corners;
using data_test::identical;
using data_test::rows;

TEST(PointCloud, DropsInvalidPointsWithAllThatHangsOnThem) {
  PointCloud cloud{rows({0, 0, 0, NAN, 0, 0, 2, 0, 0, 3, INFINITY, 0, 4, 0, 0}),
                   at::arange(15, at::kFloat).view({5, 3}),
                   {{"k", at::arange(5, at::kInt)}},
                   corners({0, 2, 4, 0, 1, 2, 4, 3, 0, 4, 2, 0})};
  EXPECT_EQ(drop_invalid_points(cloud), 2);
  EXPECT_TRUE(identical(cloud.points, rows({0, 0, 0, 2, 0, 0, 4, 0, 0})));
  EXPECT_TRUE(identical(cloud.normals, rows({0, 1, 2, 6, 7, 8, 12, 13, 14}).to(at::kFloat)));
  EXPECT_TRUE(identical(cloud.column("k"), at::tensor({0, 2, 4}, at::kInt)));
  EXPECT_TRUE(identical(cloud.faces, corners({0, 1, 2, 2, 1, 0})));
  EXPECT_EQ(drop_invalid_points(cloud), 0);
  EXPECT_FALSE(cloud.column("unknown").defined());
}

}  // namespace
}  // namespace equiframe
