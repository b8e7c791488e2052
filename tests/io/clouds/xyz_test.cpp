#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::CloudFile;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

std::vector<std::string> names_of(const PointCloud& cloud) {
  std::vector<std::string> names;
  for (const PointColumn& column : cloud.columns) names.push_back(column.name);
  return names;
}

class Xyz : public testing::Test {
 protected:
  CloudFile file_{".xyz"};
};

TEST_F(Xyz, RoundTripsUnderEveryExtension) {
  PointCloud mesh = data_test::coloured_mesh();
  mesh.columns.push_back({"time", at::rand({mesh.size()}, at::kDouble) * 1e9});
  mesh.faces = Tensor();
  const PointCloud points = data_test::survey(), normals{mesh.points, mesh.normals, {}, {}};
  const PointCloud empty{at::empty({0, 3}, at::kDouble), {}, {}, {}};
  for (const char* extension : {".xyz", ".txt", ".pts", ".csv", ".CSV"}) {
    SCOPED_TRACE(extension);
    const CloudFile file(extension);
    for (const PointCloud& cloud : {mesh, points, normals})
      expect_identical(file.round_trip(cloud), cloud);
  }
  for (const char* extension : {".pts", ".csv"})
    expect_identical(CloudFile(extension).round_trip(empty), empty);
}

TEST_F(Xyz, RoundTripsNormalsThatAreNotOfLengthOne) {
  const PointCloud cloud{
      rows({0, 0, 0, 1, 1, 1}), rows({0, 0, 1, 0, 0, 20}).to(at::kFloat), {}, {}};
  expect_identical(file_.round_trip(cloud), cloud);
}

TEST_F(Xyz, WritesShortestDigitsAndNamesOnlyWhereNeeded) {
  PointCloud cloud{rows({412345.678, 5312345.001, 0.1, -0.0, 1e-300, 3}), {}, {}, {}};
  EXPECT_EQ(file_.written(cloud), "412345.678 5312345.001 0.1\n-0 1e-300 3\n");
  EXPECT_EQ(file_.written(cloud, {FileEncoding::kText, CoordinateType::kFloat32}),
            "412345.7 5312345 0.1\n-0 0 3\n");
  EXPECT_EQ(CloudFile(".pts").written(cloud), "2\n412345.678 5312345.001 0.1\n-0 1e-300 3\n");
  cloud.normals = rows({0, 0, 1, 0.1F, 0, -1}).to(at::kFloat);
  EXPECT_EQ(CloudFile(".csv").written(cloud),
            "x,y,z,nx,ny,nz\n412345.678,5312345.001,0.1,0,0,1\n-0,1e-300,3,0.1,0,-1\n");
  cloud.columns.push_back({"signal to noise", at::tensor({7, 8}, at::kInt)});
  EXPECT_EQ(file_.written(cloud),
            "# x y z nx ny nz signal_to_noise\n"
            "412345.678 5312345.001 0.1 0 0 1 7\n-0 1e-300 3 0.1 0 -1 8\n");
}

TEST_F(Xyz, ReadsEverySeparatorCommentAndHeader) {
  const Tensor expected = rows({1, -2.5, 3e2, 4, 5, 6});
  for (const char* text :
       {"1 -2.5 3e2\n4 5 6",
        "\xEF\xBB\xBF"
        "1\t-2.5\t+300\r\n\r\n4 5 6\r\n",
        "1,-2.5,300\n4,5,6\n", "1 ; -2.5 ; 300 ;\n4;5;6;\n",
        "# scan, of a wall\n1 -2.5 300 # first, really\n% more\n4 5 6\n",
        "//X,Y,Z\n1, -2.5, 300.0\n4, 5, 6\n", "x y z\n1 -2.5 300\n4 5 6\n",
        "\"Z\",\"X\",\"Y\"\n300,1,-2.5\n6,4,5\n", "# x y z of the corner\n1 -2.5 300\n4 5 6\n",
        "2\n1 -2.5 300\n4 5 6\n"}) {
    const PointCloud cloud = file_.read(text);
    EXPECT_TRUE(identical(cloud.points, expected)) << text;
    EXPECT_TRUE(cloud.columns.empty()) << text;
  }
}

TEST_F(Xyz, NamesOfTheHeaderAreFollowed) {
  const PointCloud cloud = file_.read("z;R;G;B;x;y;Nx;Ny;Nz;Height\n3;255;128;0;1;2;0;0;9;0.25\n");
  EXPECT_TRUE(identical(cloud.points, rows({1, 2, 3})));
  EXPECT_TRUE(identical(cloud.normals, rows({0, 0, 9}).to(at::kFloat)));
  EXPECT_EQ(names_of(cloud), (std::vector<std::string>{"red", "green", "blue", "Height"}));
  EXPECT_TRUE(identical(cloud.column("green"), at::tensor({128}, at::kByte)));
  EXPECT_TRUE(identical(cloud.column("Height"), at::tensor({0.25}, at::kDouble)));
  const PointCloud real = file_.read("x y z red green blue\n1 2 3 0.5 1 0\n");
  EXPECT_EQ(real.column("red").item<double>(), 0.5);
}

TEST_F(Xyz, ColumnsWithoutNamesAreGuessed) {
  const auto guessed = [&](const char* text) {
    const PointCloud cloud = file_.read(text);
    std::vector<std::string> names = names_of(cloud);
    if (cloud.normals.defined()) names.insert(names.begin(), "n");
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(guessed("1 2 3 0 0 1\n1 2 3 0.6 -0.8 0\n"), Names{"n"});
  EXPECT_EQ(guessed("1 2 3 0 0 1\n1 2 3 60 80 0\n"), (Names{"red", "green", "blue"}));
  EXPECT_EQ(guessed("1 2 3 77.5\n"), Names{"intensity"});
  EXPECT_EQ(guessed("1 2 3 -1023 60 80 0\n"), (Names{"intensity", "red", "green", "blue"}));
  EXPECT_EQ(guessed("1 2 3 200 60 80 0\n"), (Names{"intensity", "red", "green", "blue"}));
  EXPECT_EQ(guessed("1 2 3 60 80 0 0 0 1\n"), (Names{"n", "red", "green", "blue"}));
  EXPECT_EQ(guessed("1 2 3 0 0 1 60 80 0 5\n"), (Names{"n", "red", "green", "blue", "column_10"}));
  EXPECT_EQ(guessed("1 2 3 4.5 500\n"), (Names{"column_4", "column_5"}));
}

TEST_F(Xyz, AGuessThatProvesWrongIsRefused) {
  std::string text;
  for (int k = 0; k < 2000; ++k) text += "1 2 3 0 0 1\n";
  EXPECT_EQ(file_.complaint(text + "1 2 3 60 80 0\n"),
            "cloud.xyz: point 2000 has (60, 80, 0) where points before have a normal; name the "
            "columns in a first line such as 'x y z red green blue'");
}

TEST_F(Xyz, SaysWhatIsWrongInWhichLine) {
  EXPECT_EQ(file_.complaint(""), "cloud.xyz: the file is empty; export it again");
  EXPECT_EQ(file_.complaint("# nothing\n\n"),
            "cloud.xyz: no line of numbers; expected x y z in each");
  EXPECT_EQ(file_.complaint("1 2 3\n4 5\n"),
            "cloud.xyz:2: the line has 2 numbers; expected at least 3, x y z");
  EXPECT_EQ(file_.complaint("# c\n1 2 3 4\n1 2 3\n"),
            "cloud.xyz:3: the line has 3 numbers; expected 4, one for each of x ... intensity");
  EXPECT_EQ(file_.complaint("1 2 3\n1 2 3 4\n"),
            "cloud.xyz:2: more than 3 numbers; expected one for each of x ... z");
  EXPECT_EQ(file_.complaint("1 2 3\n4 5 6 m\n"),
            "cloud.xyz:2: more than 3 numbers; expected one for each of x ... z");
  EXPECT_EQ(file_.complaint("1 2 3\n4 5,5 6\n"),
            "cloud.xyz:2: '5,5' is not a number; expected a number for y");
  EXPECT_EQ(file_.complaint("1;2;3\n4;5,5;6\n"),
            "cloud.xyz:2: '5,5' is not a number; expected a number for y");
  EXPECT_EQ(file_.complaint("1,5 2,5 3,5\n"),
            "cloud.xyz:1: '5 2' is not a number; expected a number for y");
  EXPECT_EQ(file_.complaint("1,2,3\n4,,6\n"),
            "cloud.xyz:2: a number is missing; expected a number for y");
  EXPECT_EQ(file_.complaint("1 2 3\n4 inf 6\n"),
            "cloud.xyz:2: point 1 is (4, inf, 6); expected finite coordinates, remove it or allow "
            "invalid points");
  EXPECT_EQ(file_.complaint("lat lon\n1 2 3\n"),
            "cloud.xyz:1: 'lat lon' is neither numbers nor names of columns; expected x, y and z");
  EXPECT_EQ(file_.complaint("x y z r red\n1 2 3 4 5\n"),
            "cloud.xyz:1: 'x y z r red' names two columns alike; rename one");
  EXPECT_EQ(file_.complaint("3\nwater\nO 0 0 0\n"),
            "cloud.xyz:2: 'water' is not a number; expected x y z");
}

TEST_F(Xyz, CountsOfPtsFilesAreChecked) {
  const CloudFile file(".pts");
  EXPECT_EQ(file.complaint("3\n1 2 3\n4 5 6\n"),
            "cloud.pts:3: the file ends after 2 of 3 points; copy or export it again");
  EXPECT_EQ(file.complaint("1\n1 2 3\n4 5 6\n"),
            "cloud.pts:3: more than the 1 points that line 1 promises");
}

}  // namespace
}  // namespace equiframe
