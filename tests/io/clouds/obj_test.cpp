#include <string>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::CloudFile;
using data_test::corners;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

class Obj : public testing::Test {
 protected:
  CloudFile file_{".obj"};
};

TEST_F(Obj, RoundTrips) {
  const PointCloud mesh = data_test::coloured_mesh();
  expect_identical(file_.round_trip(mesh), mesh);
  const PointCloud bare{mesh.points, {}, {}, mesh.faces}, points{mesh.points, {}, {}, {}};
  expect_identical(file_.round_trip(bare), bare);
  expect_identical(file_.round_trip(points), points);
  const PointCloud cloud{mesh.points, mesh.normals, {}, {}};
  expect_identical(file_.round_trip(cloud), cloud);
}

TEST_F(Obj, ReadsEveryFormOfIndex) {
  const Tensor expected = corners({0, 1, 2, 0, 2, 3});
  for (const char* face :
       {"f 1 2 3 4", "f 1/5 2/6 3/7 4/8", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/2/1 3/3/1 4/4/1",
        "f -4 -3 -2 -1", "f -4/-1/-1 2// 3//1 4/", "f 1 2 \\\n 3 4 # a square"})
    EXPECT_TRUE(identical(
        file_.read("mtllib a.mtl\no square\n" + kSquare + "vt 0 0\nvn 0 0 1\ns off\n" + face).faces,
        expected))
        << face;
}

TEST_F(Obj, NegativeIndicesCountFromWhereTheyStand) {
  const PointCloud mesh =
      file_.read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -3 -1\n");
  EXPECT_TRUE(identical(mesh.faces, corners({0, 1, 2, 0, 1, 3})));
}

TEST_F(Obj, NormalsBelongToVerticesWhereEachHasOne) {
  const std::string normals = "vn 0 0 1\nvn 0 0.6 0.8\nvn 1 0 0\nvn 0 0 1\n";
  const Tensor in_order = rows({0, 0, 1, 0, 0.6, 0.8, 1, 0, 0, 0, 0, 1}).to(at::kFloat);
  EXPECT_TRUE(identical(file_.read(kSquare + normals).normals, in_order));
  EXPECT_TRUE(identical(file_.read(kSquare + normals + "f 1 2 3").normals, in_order));
  EXPECT_TRUE(identical(file_.read(kSquare + normals + "f 1//1 2//2 3//3").normals, in_order));
  // Shared, and given by another normal with the same numbers.
  const Tensor shared = rows({0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0.6, 0.8}).to(at::kFloat);
  EXPECT_TRUE(identical(
      file_.read(kSquare + normals + "f 1//1 2//3 3//1\nf 1//4 3//4 4//2\n").normals, shared));
  // Vertex 1 has two normals; vertex 4 has none; the normals are not those of vertices.
  EXPECT_FALSE(
      file_.read(kSquare + normals + "f 1//1 2//3 3//1\nf 1//2 3//4 4//2\n").normals.defined());
  EXPECT_FALSE(file_.read(kSquare + normals + "f 1//2 2//2 3//2\n").normals.defined());
  EXPECT_FALSE(file_.read(kSquare + "vn 0 0 1\n").normals.defined());
}

TEST_F(Obj, ReadsColoursAndUnitWeights) {
  const PointCloud cloud = file_.read("v 1 2 3 1 0.5 0\nv 4 5 6 1 0 0.2 1\n");
  EXPECT_TRUE(identical(cloud.points, rows({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(identical(cloud.column("red"), at::tensor({255, 0}, at::kByte)));
  EXPECT_TRUE(identical(cloud.column("green"), at::tensor({128, 51}, at::kByte)));
  EXPECT_TRUE(identical(cloud.column("blue"), at::tensor({0, 255}, at::kByte)));
  EXPECT_TRUE(file_.read("v 1 2 3 1.0\n").columns.empty());
}

TEST_F(Obj, SaysWhatIsWrongInWhichLine) {
  EXPECT_EQ(file_.complaint(""), "cloud.obj: the file is empty; export it again");
  EXPECT_EQ(file_.complaint("ply\n"), "cloud.obj: no vertex; expected lines 'v x y z'");
  EXPECT_EQ(file_.complaint("v 0 0 0\nv 1 zero 2\n"),
            "cloud.obj:2: 'zero' is not a number; expected 'v x y z'");
  EXPECT_EQ(file_.complaint("v 0 0\n"),
            "cloud.obj:1: a vertex of 2 numbers; expected 'v x y z' or with r g b");
  EXPECT_EQ(file_.complaint("v 0 0 0 2\n"),
            "cloud.obj:1: a vertex with a weight; expected none, or 1");
  EXPECT_EQ(
      file_.complaint("v 0 0 0\nv 0 0 0 1 1 1\n"),
      "cloud.obj:2: some vertices have a colour and some have none; expected the same for all");
  EXPECT_EQ(file_.complaint("v 0 nan 0\n"),
            "cloud.obj:1: point 0 is (0, nan, 0); expected finite coordinates, remove it or allow "
            "invalid points");
  EXPECT_EQ(file_.complaint(kSquare + "vn 0 0\n"),
            "cloud.obj:5: a number is missing; expected 'vn x y z'");
  EXPECT_EQ(file_.complaint(kSquare + "f 1 2 3\nf 1 2 5\nf 1 2 3\n"),
            "cloud.obj:6: a face with vertex 5; there are 4 vertices");
  EXPECT_EQ(file_.complaint(kSquare + "f 1//1 2//1 999999999999//1\n"),
            "cloud.obj:5: a face with vertex 999999999999; there are 4 vertices");
  EXPECT_EQ(file_.complaint(kSquare + "vn 0 0 1\nf 1//1 2//1 3//2\n"),
            "cloud.obj:6: a face with normal 2; there are 1 normals");
  for (const char* face : {"f 1 2 0", "f 1 2 -5", "f 1 2 x", "f 1 2 3/4/x", "f 1 2 /3"})
    EXPECT_NE(file_.complaint(kSquare + face)
                  .find("of a face; expected v, v/t, v//n or v/t/n, counted from 1, or backwards "
                        "from -1 to -"),
              std::string::npos)
        << face;
  EXPECT_EQ(file_.complaint(kSquare + "f 1 2\n"),
            "cloud.obj:5: a face with 2 corners; expected at least 3");
}

}  // namespace
}  // namespace equiframe
