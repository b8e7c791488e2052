#include <string>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::big_endian;
using data_test::bytes_of;
using data_test::CloudFile;
using data_test::corners;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

std::string ply_header(const std::string& format, const std::string& elements) {
  return "ply\nformat " + format + " 1.0\ncomment made by hand\n" + elements + "end_header\n";
}

const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";

class Ply : public testing::Test {
 protected:
  CloudFile file_{".ply"};
};

TEST_F(Ply, RoundTripsEverythingInEveryEncoding) {
  PointCloud mesh = data_test::coloured_mesh();
  mesh.columns.push_back({"confidence", at::rand({mesh.size()}, at::kFloat)});
  mesh.columns.push_back({"time", at::rand({mesh.size()}, at::kDouble) * 1e9});
  mesh.columns.push_back({"label", at::arange(mesh.size(), at::kInt) - 9});
  mesh.columns.push_back({"id", at::arange(mesh.size(), at::kLong) + 4'000'000'000 - mesh.size()});
  for (const FileEncoding encoding : {FileEncoding::kBinary, FileEncoding::kText})
    expect_identical(file_.round_trip(mesh, {encoding}), mesh);
}

TEST_F(Ply, Float32IsWrittenWhereItKeepsTheDigitsThatCount) {
  PointCloud near;
  near.points = at::rand({100, 3}, at::kDouble);
  EXPECT_NE(file_.written(near).find("property float x"), std::string::npos);
  EXPECT_NE(file_.written(data_test::survey()).find("property double x"), std::string::npos);
  near.points += 5e6;
  EXPECT_NE(file_.written(near).find("property double x"), std::string::npos);
  EXPECT_NE(file_.written(near, {FileEncoding::kBinary, CoordinateType::kFloat32}).find("float x"),
            std::string::npos);
  near.points = near.points.to(at::kFloat).to(at::kDouble);
  EXPECT_NE(file_.written(near, {FileEncoding::kText}).find("property float x"), std::string::npos);
  EXPECT_TRUE(identical(file_.round_trip(near, {FileEncoding::kText}).points, near.points));
}

TEST_F(Ply, EmptyCloud) {
  const PointCloud empty{at::empty({0, 3}, at::kDouble), {}, {}, {}};
  expect_identical(file_.round_trip(empty), empty);
  expect_identical(file_.round_trip(empty, {FileEncoding::kText}), empty);
}

TEST_F(Ply, ReadsTextAsOthersWriteIt) {
  const PointCloud cloud = file_.read(
      "ply\r\nformat ascii 1.0\r\nobj_info scanned\r\nelement vertex 4\r\nproperty float32 z\r\n"
      "property uchar red\r\nproperty double x\r\nproperty float y\r\nelement edge 1\r\n"
      "property int vertex1\r\nelement face 2\r\nproperty uchar flag\r\n"
      "property list uint8 int32 vertex_index\r\nproperty list uchar float texcoord\r\n"
      "end_header\r\n3 255 1 2\r\n6 0 4 5\r\n\r\n 9\t1 7.5 8 \r\n0 0 0 0\r\n17\r\n"
      "1 3 0 1 2 2 0.5 0.5\r\n0 4 0 1 2 3 0\r\n");
  EXPECT_TRUE(identical(cloud.points, rows({1, 2, 3, 4, 5, 6, 7.5, 8, 9, 0, 0, 0})));
  EXPECT_FALSE(cloud.normals.defined());
  EXPECT_TRUE(identical(cloud.column("red"), at::tensor({255, 0, 1, 0}, at::kByte)));
  EXPECT_TRUE(identical(cloud.faces, corners({0, 1, 2, 0, 1, 2, 0, 2, 3})));
}

TEST_F(Ply, ReadsBothByteOrdersWithListsEverywhere) {
  const std::string elements =
      "element camera 2\nproperty short view\nelement vertex 2\nproperty double x\n"
      "property list uchar short tags\nproperty float y\nproperty float z\n"
      "property ushort level\nelement cell 1\nproperty list int double weights\n"
      "element face 1\nproperty list ushort uint vertex_indices\nproperty float area\n";
  const auto body = [](auto number) {
    std::string bytes = number(int16_t{1}) + number(int16_t{2});
    for (int k = 0; k < 2; ++k)
      bytes += number(1.5 + k) + number(uint8_t{2}) + number(int16_t{7}) + number(int16_t{8}) +
               number(2.5F) + number(-3.5F) + number(static_cast<uint16_t>(65535 - k));
    bytes += number(int32_t{1}) + number(0.1);
    return bytes + number(uint16_t{4}) + number(uint32_t{0}) + number(uint32_t{1}) +
           number(uint32_t{1}) + number(uint32_t{0}) + number(9.0F);
  };
  const std::string little = ply_header("binary_little_endian", elements) +
                             body([](auto value) { return bytes_of(value); });
  const std::string big = ply_header("binary_big_endian", elements) +
                          body([](auto value) { return big_endian(value); });
  for (const std::string& bytes : {little, big}) {
    const PointCloud cloud = file_.read(bytes);
    EXPECT_TRUE(identical(cloud.points, rows({1.5, 2.5, -3.5, 2.5, 2.5, -3.5})));
    EXPECT_TRUE(identical(cloud.column("level"), at::tensor({65535, 65534}, at::kInt)));
    EXPECT_TRUE(identical(cloud.faces, corners({0, 1, 1, 0, 1, 0})));
    for (size_t length = 0; length < bytes.size(); ++length)
      file_.complaint(bytes.substr(0, length));
  }
}

TEST_F(Ply, ReadsBigEndianBlocks) {
  std::string bytes = ply_header("binary_big_endian", "element vertex 9000\n" + kXyz);
  for (int k = 0; k < 27000; ++k) bytes += big_endian(static_cast<float>(k));
  EXPECT_TRUE(identical(file_.read(bytes).points, at::arange(27000, at::kDouble).view({-1, 3})));
}

TEST_F(Ply, SaysWhereTheFileEnds) {
  const std::string text = ply_header("ascii", "element vertex 3\n" + kXyz);  // 8 lines
  EXPECT_EQ(file_.complaint(text + "1 2 3\n4 5 6\n"),
            "cloud.ply:10: the file ends after 2 of 3 points; copy or export it again");
  EXPECT_EQ(file_.complaint(text + "1 2 3\n4 5"),
            "cloud.ply:10: the line has 2 numbers; expected 3, one for each of x ... z");
  const std::string binary = ply_header("binary_little_endian", "element vertex 3\n" + kXyz);
  EXPECT_EQ(file_.complaint(binary + std::string(35, '\0')),
            c10::str("cloud.ply: byte ", binary.size() + 35,
                     ": the file ends after 2 of 3 points; copy or export it again"));
  const std::string faces =
      ply_header("ascii", "element vertex 1\n" + kXyz +
                              "element face 2\nproperty list uchar int vertex_indices\n");
  EXPECT_EQ(file_.complaint(faces + "1 2 3\n3 0 0 0\n"),
            "cloud.ply:12: the file ends after 1 of 2 faces; copy or export it again");
}

TEST_F(Ply, AbsurdCountsAreRefusedWithoutMemory) {
  for (const char* format : {"ascii", "binary_little_endian"}) {
    const std::string start = ply_header(format, "element vertex 9000000000000000000\n" + kXyz);
    const std::string said = file_.complaint(start + "1 2 3\n");
    EXPECT_NE(said.find("of 9000000000000000000 points"), std::string::npos) << said;
  }
  const std::string lists = ply_header(
      "binary_little_endian",
      "element vertex 1\n" + kXyz + "element face 1\nproperty list uint uint vertex_indices\n");
  const std::string said =
      file_.complaint(lists + std::string(12, '\0') + bytes_of(uint32_t{4'000'000'000}));
  EXPECT_NE(said.find("after 0 of 1 faces"), std::string::npos) << said;
}

TEST_F(Ply, RefusesNumbersThatAreNone) {
  const std::string text =
      ply_header("ascii", "element vertex 2\n" + kXyz + "property uchar red\nproperty int label\n");
  const auto complaint = [&](const std::string& row) {
    return file_.complaint(text + "0 0 0 0 0\n" + row);
  };
  EXPECT_EQ(complaint("1 two 3 4 5"),
            "cloud.ply:12: 'two' is not a number; expected a number for y");
  EXPECT_EQ(complaint("1 2 3e 4 5"), "cloud.ply:12: '3e' is not a number; expected a number for z");
  EXPECT_EQ(complaint("1 2 1e999 4 5"),
            "cloud.ply:12: '1e999' is too large a number; expected a number for z");
  EXPECT_EQ(complaint("1 2 3 256 5"),
            "cloud.ply:12: '256' for red; expected a whole number from 0 to 255");
  EXPECT_EQ(complaint("1 2 3 4 0.5"), "cloud.ply:12: '0.5' for label; expected a whole number");
  EXPECT_EQ(complaint("1 2 3 4 5 6"),
            "cloud.ply:12: more than 5 numbers; expected one for each of x ... label");
}

TEST_F(Ply, InvalidPointsAreRefusedOrKept) {
  const std::string text = ply_header("ascii", "element vertex 2\n" + kXyz) + "0 0 0\n1 nan -inf\n";
  EXPECT_EQ(file_.complaint(text),
            "cloud.ply:10: point 1 is (1, nan, -inf); expected finite coordinates, remove it or "
            "allow invalid points");
  std::string binary = ply_header("binary_little_endian", "element vertex 2\n" + kXyz);
  const size_t start = binary.size();
  binary += std::string(20, '\0') + bytes_of(INFINITY);
  EXPECT_EQ(file_.complaint(binary),
            c10::str("cloud.ply: byte ", start + 12,
                     ": point 1 is (0, 0, inf); expected finite coordinates, remove it or allow "
                     "invalid points"));
  for (const std::string& bytes : {text, binary}) {
    PointCloud cloud = file_.read(bytes, {InvalidPoints::kKeep});
    EXPECT_EQ(cloud.size(), 2);
    EXPECT_EQ(drop_invalid_points(cloud), 1);
    EXPECT_TRUE(identical(cloud.points, rows({0, 0, 0})));
  }
}

TEST_F(Ply, RefusesFacesWithoutPoints) {
  const std::string elements =
      "element vertex 3\n" + kXyz + "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string text = ply_header("ascii", elements) + "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(file_.complaint(text + "3 0 1 3\n"),
            "cloud.ply:14: a face with corner 3; expected 0 to 2");
  EXPECT_EQ(file_.complaint(text + "3 0 1 -1\n"),
            "cloud.ply:14: a face with corner -1; expected 0 to 2");
  EXPECT_EQ(file_.complaint(text + "2 0 1\n"),
            "cloud.ply:14: a face with 2 corners; expected at least 3");
  EXPECT_EQ(file_.complaint(text + "3 0 1\n"),
            "cloud.ply:14: a number is missing; expected a list 'vertex_indices': its length and "
            "so many numbers");
  const std::string binary = ply_header("binary_little_endian", elements) + std::string(36, '\0') +
                             "\3" + bytes_of(0) + bytes_of(1) + bytes_of(99);
  const std::string said = file_.complaint(binary);
  EXPECT_NE(said.find("a face with corner 99; expected 0 to 2"), std::string::npos) << said;
}

TEST_F(Ply, RefusesOtherFilesAndDamagedHeaders) {
  EXPECT_EQ(file_.complaint(""), "cloud.ply: the file is empty; export it again");
  EXPECT_EQ(file_.complaint("solid cube\n"),
            "cloud.ply: this is no PLY file; expected 'ply' in the first line");
  EXPECT_EQ(file_.complaint("ply\nformat ascii 1.0\nelement vertex 1\n"),
            "cloud.ply:3: the file ends inside the header; expected 'end_header'");
  EXPECT_EQ(file_.complaint("ply\nelement vertex 0\n" + kXyz + "end_header\n"),
            "cloud.ply:6: the header has no line 'format'");
  EXPECT_EQ(file_.complaint(ply_header("binary_middle_endian", "")),
            "cloud.ply:2: format 'binary_middle_endian'; expected ascii, binary_little_endian or "
            "binary_big_endian");
  EXPECT_EQ(file_.complaint(ply_header("ascii", "element vertex -1\n")),
            "cloud.ply:4: expected 'element NAME COUNT' with a count from 0");
  EXPECT_EQ(file_.complaint(ply_header("ascii", "element vertex 1\nproperty quad x\n")),
            "cloud.ply:5: 'quad' is no type; expected char, uchar, short, ushort, int, uint, float "
            "or double");
  EXPECT_EQ(file_.complaint(
                ply_header("ascii", "element vertex 1\nproperty float x\nproperty float y\n")),
            "cloud.ply:7: points have no 'z', only x, y; expected x, y and z");
  EXPECT_EQ(file_.complaint(ply_header("ascii", "element vertex 1\n" + kXyz + "property int x\n")),
            "cloud.ply:9: points have 'x' twice; rename one");
  EXPECT_EQ(file_.complaint(ply_header("ascii", "element face 0\n")),
            "cloud.ply: the header has no element 'vertex'; expected one with x, y and z");
  EXPECT_EQ(file_.complaint(ply_header("ascii", "vertices 3\n")),
            "cloud.ply:4: 'vertices 3' in the header; expected format, element, property, comment "
            "or end_header");
}

}  // namespace
}  // namespace equiframe
