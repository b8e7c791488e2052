#include "equiframe/io/point_cloud.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

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

/// A file may have a column nx and be no file with normals.
TEST(PointCloud, NormalsTakeThePlaceOfColumnsOfTheirNames) {
  const data_test::TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.ply", "a.pcd", "a.pts", "a.txt"}) {
    PointCloud cloud{rows({0, 0, 0, 1, 0, 0, 0, 1, 0}), {}, {}, {}};
    cloud.columns = {{"nx", at::ones({3}, at::kFloat)}, {"k", at::ones({3}, at::kFloat)}};
    write_points(folder / name, cloud);
    PointCloud read = read_points(folder / name);
    ASSERT_TRUE(read.column("nx").defined() && !read.normals.defined()) << name;
    set_normals(read, at::zeros({3, 3}, at::kFloat));
    write_points(folder / name, read);
    const PointCloud again = read_points(folder / name);
    EXPECT_TRUE(again.normals.defined()) << name;
    EXPECT_FALSE(again.column("nx").defined()) << name;
    EXPECT_TRUE(again.column("k").defined()) << name;
  }
}

}  // namespace
}  // namespace equiframe
