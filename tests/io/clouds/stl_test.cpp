#include <array>
#include <string>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::bytes_of;
using data_test::CloudFile;
using data_test::corners;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

/// Two triangles of a square, as text and as binary with a title of choice.
const std::string kText =
    "solid square\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 1 1 0\n  endloop\n endfacet\n facet normal 0 0 1\n  outer loop\n   vertex -0 0 0\n"
    "   vertex 1 1 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid square\n";

std::string binary(std::string title, uint32_t count = 2) {
  title.resize(80, ' ');
  title += bytes_of(count);
  for (const auto& numbers : {std::array<float, 9>{0, 0, 0, 1, 0, 0, 1, 1, 0},
                              std::array<float, 9>{-0.0F, 0, 0, 1, 1, 0, 0, 1, 0}}) {
    title += std::string(12, '\0');
    for (const float number : numbers) title += bytes_of(number);
    title += "ab";
  }
  return title;
}

class Stl : public testing::Test {
 protected:
  CloudFile file_{".stl"};
};

TEST_F(Stl, ReadsTextAndBinaryAndWeldsCorners) {
  for (const std::string& bytes :
       {kText, binary("made by hand"), binary("solid lies"), binary("solid\n facet")}) {
    const PointCloud mesh = file_.read(bytes);
    EXPECT_TRUE(identical(mesh.points, rows({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0})));
    EXPECT_TRUE(identical(mesh.faces, corners({0, 1, 2, 0, 2, 3})));
    EXPECT_FALSE(mesh.normals.defined());
  }
}

/// Corners are numbered in order of appearance, so that the triangles are what comes back.
TEST_F(Stl, RoundTrips) {
  PointCloud mesh = data_test::coloured_mesh();
  const auto triangles = [](const PointCloud& m) {
    return m.points.index_select(0, m.faces.view(-1)).view({-1, 3, 3});
  };
  PointCloud back = file_.round_trip(mesh, {FileEncoding::kText});
  EXPECT_TRUE(identical(triangles(back), triangles(mesh)));
  EXPECT_LE(back.size(), mesh.size());
  mesh.points = (mesh.points - mesh.points[0]).to(at::kFloat).to(at::kDouble) + 0.0;
  back = file_.round_trip(mesh);
  EXPECT_TRUE(identical(triangles(back), triangles(mesh)));
}

TEST_F(Stl, WritesNormalsByTheRightHandRule) {
  const PointCloud mesh{rows({0, 0, 0, 2, 0, 0, 0, 2, 0}), {}, {}, corners({0, 1, 2})};
  EXPECT_EQ(file_.written(mesh, {FileEncoding::kText}),
            "solid equiframe\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\n"
            "vertex 0 2 0\nendloop\nendfacet\nendsolid equiframe\n");
  const std::string bytes = file_.written(mesh);
  ASSERT_EQ(bytes.size(), 134U);
  EXPECT_EQ(bytes.substr(80, 16),
            bytes_of(uint32_t{1}) + bytes_of(0.0F) + bytes_of(0.0F) + bytes_of(1.0F));
}

TEST_F(Stl, RefusesToLoseDigitsOrPoints) {
  PointCloud mesh = data_test::coloured_mesh();
  const auto complaint = [&] {
    return data_test::message_of<UserError>([&] { write_points(file_.path(), mesh); });
  };
  EXPECT_NE(complaint().find("float32, all that binary STL has, moves points by up to 0.2"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(file_.path()));
  write_points(file_.path(), mesh, {FileEncoding::kBinary, CoordinateType::kFloat32});
  EXPECT_TRUE(std::filesystem::exists(file_.path()));
  mesh.faces = Tensor();
  EXPECT_NE(complaint().find("no faces"), std::string::npos);
}

TEST_F(Stl, SaysWhereBinaryFilesEnd) {
  const std::string whole = binary("made by hand");
  EXPECT_EQ(file_.complaint(whole.substr(0, 150)),
            "cloud.stl: byte 150: the file ends after 1 of 2 triangles; copy or export it again");
  EXPECT_EQ(file_.complaint(binary("solid lies", 4'000'000'000)),
            "cloud.stl: byte 184: the file ends after 2 of 4000000000 triangles; copy or export it "
            "again");
  EXPECT_EQ(file_.complaint(whole + "more"),
            "cloud.stl: the file is longer than its 2 triangles; expected 50 bytes for each");
  EXPECT_EQ(
      file_.complaint("ply\n"),
      "cloud.stl: this is no STL file: expected 'solid' or a header of 84 bytes, found 4 bytes "
      "in all");
  EXPECT_EQ(file_.complaint(""), "cloud.stl: the file is empty; export it again");
  for (size_t length = 0; length < whole.size(); ++length) file_.complaint(whole.substr(0, length));
}

TEST_F(Stl, SaysWhatIsWrongInText) {
  EXPECT_EQ(file_.complaint("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n"),
            "cloud.stl:4: a number is missing; expected 'vertex x y z'");
  EXPECT_EQ(file_.complaint("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n"),
            "cloud.stl:4: point 0 is (0, 0, inf); expected finite coordinates, remove it or allow "
            "invalid points");
  EXPECT_EQ(file_.complaint("solid a\nfacet normal 0 0 1\nouter loop\nendloop\n"),
            "cloud.stl:4: a face with 0 corners; expected at least 3");
  EXPECT_EQ(
      file_.complaint(kText.substr(0, kText.size() - 16)),
      "cloud.stl:15: the file ends after 2 triangles, the last may be cut; expected 'endsolid'");
  EXPECT_EQ(file_.complaint("solid a\ntriangle\n"),
            "cloud.stl:2: 'triangle'; expected solid, facet, outer loop, vertex, endloop, endfacet "
            "or endsolid");
}

}  // namespace
}  // namespace equiframe
