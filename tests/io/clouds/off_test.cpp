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

class Off : public testing::Test {
 protected:
  CloudFile file_{".off"};
};

TEST_F(Off, RoundTripsInAllFourForms) {
  const PointCloud mesh = data_test::coloured_mesh();
  PointCloud with_alpha = mesh;
  with_alpha.columns.push_back({"alpha", at::full({mesh.size()}, 7, at::kByte)});
  for (const PointCloud& cloud : {mesh, with_alpha, PointCloud{mesh.points, {}, {}, {}},
                                  PointCloud{mesh.points, mesh.normals, {}, mesh.faces},
                                  PointCloud{mesh.points, {}, mesh.columns, mesh.faces},
                                  PointCloud{at::empty({0, 3}, at::kDouble), {}, {}, {}}})
    expect_identical(file_.round_trip(cloud), cloud);
  EXPECT_TRUE(file_.written(mesh).starts_with("CNOFF\n5000 10000 0\n"));
}

TEST_F(Off, ReadsHeadersAsOthersWriteThem) {
  for (const char* start :
       {"OFF\n4 1 0\n", "OFF 4 1 0\n", "OFF4 1 0\n", "# square\nOFF # text\n\n4 1\n"}) {
    const PointCloud mesh = file_.read(
        std::string(start) + "0 0 0\n1 0 0 # right\n\n1 1 0\r\n0 1 0\n4 0 1 2 3 255 0 0\n");
    EXPECT_TRUE(identical(mesh.points, rows({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}))) << start;
    EXPECT_TRUE(identical(mesh.faces, corners({0, 1, 2, 0, 2, 3}))) << start;
  }
}

TEST_F(Off, ReadsColoursAndNormals) {
  const PointCloud fractions = file_.read("COFF\n2 0 0\n1 2 3 0.5 0 1 1\n4 5 6 0 0 0 1.0\n");
  EXPECT_TRUE(identical(fractions.column("red"), at::tensor({128, 0}, at::kByte)));
  EXPECT_TRUE(identical(fractions.column("alpha"), at::tensor({255, 255}, at::kByte)));
  EXPECT_FALSE(fractions.faces.defined());
  const PointCloud both = file_.read("CNOFF\n1 0 0\n1 2 3 0 0 1 10 20 30\n");
  EXPECT_TRUE(identical(both.normals, rows({0, 0, 1}).to(at::kFloat)));
  EXPECT_TRUE(identical(both.column("blue"), at::tensor({30}, at::kByte)));
  EXPECT_FALSE(both.column("alpha").defined());
}

TEST_F(Off, SaysWhatIsWrongInWhichLine) {
  EXPECT_EQ(file_.complaint(""), "cloud.off: the file is empty; export it again");
  EXPECT_EQ(file_.complaint("ply\n"),
            "cloud.off: 'ply' begins no OFF file that can be read; expected OFF, COFF, NOFF or "
            "CNOFF");
  EXPECT_EQ(file_.complaint("4OFF\n1 0 0\n1 2 3 4\n"),
            "cloud.off: '4OFF' begins no OFF file that can be read; expected OFF, COFF, NOFF or "
            "CNOFF");
  EXPECT_EQ(file_.complaint("OFF BINARY\n"),
            "cloud.off: binary OFF cannot be read; export it as text, or as PLY");
  EXPECT_EQ(file_.complaint("OFF\n"),
            "cloud.off:1: the file ends inside the header; expected the numbers of vertices and "
            "faces");
  EXPECT_EQ(file_.complaint("OFF\nmany\n"),
            "cloud.off:2: expected the numbers of vertices, faces and edges");
  EXPECT_EQ(file_.complaint("OFF\n3 1 0\n0 0 0\n1 0 0\n"),
            "cloud.off:4: the file ends after 2 of 3 points; copy or export it again");
  EXPECT_EQ(file_.complaint("OFF\n9000000000000000000 1 0\n0 0 0\n"),
            "cloud.off:3: the file ends after 1 of 9000000000000000000 points; copy or export it "
            "again");
  EXPECT_EQ(file_.complaint("OFF\n1 2 0\n0 0 0\n3 0 0 0\n"),
            "cloud.off:4: the file ends after 1 of 2 faces; copy or export it again");
  EXPECT_EQ(file_.complaint("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
            "cloud.off:4: a face with corner 1; expected 0 to 0");
  EXPECT_EQ(
      file_.complaint("OFF\n1 1 0\n0 0 0\n3 0 0\n"),
      "cloud.off:4: a number is missing; expected the number of corners of a face and so many "
      "corners");
  EXPECT_EQ(file_.complaint("NOFF\n1 0 0\n0 0 0 1 0\n"),
            "cloud.off:3: the line has 5 numbers; expected 6, one for each of x ... nz");
  EXPECT_EQ(file_.complaint("OFF\n1 0 0\n0 0 nan\n"),
            "cloud.off:3: point 0 is (0, 0, nan); expected finite coordinates, remove it or allow "
            "invalid points");
}

}  // namespace
}  // namespace equiframe
