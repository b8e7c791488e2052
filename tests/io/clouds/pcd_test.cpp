#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::big_endian;
using data_test::bytes_of;
using data_test::CloudFile;
using data_test::expect_identical;
using data_test::identical;
using data_test::rows;

/// Ten lines, with x y z and further fields.
std::string pcd_header(int64_t points, const std::string& data, const std::string& names = "",
                       const std::string& sizes = "", const std::string& types = "",
                       const std::string& counts = "") {
  const std::string count = std::to_string(points);
  return "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\nFIELDS x y z" + names +
         "\nSIZE 4 4 4" + sizes + "\nTYPE F F F" + types + "\nCOUNT 1 1 1" + counts + "\nWIDTH " +
         count + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + count + "\nDATA " + data + "\n";
}

/// 400 points (k % 20, k / 20, 0.5) with rgb = 0xff8000 + k % 7, packed by liblzf 3.6.
const std::string kPacked =
    "010000400001803f20050040200220030080200300a0200300c0200300e02003040041000010200300202003"
    "0030200300402003005020030060200300702003008020030088200300902003009820034000e0ff4fe1ff3f"
    "e2ff2fe3ff1fe4ff5fe5bf4fe04300463be0430346d7e043034723e04303476fe04303435be043034807e043"
    "034713e04303489fe0430348ebe043034937e043034433e0430349cfe0430347ebe043034a67e043034ab3e0"
    "43034affe043034b4be043034b97e0430348c3e0430300004c7be0ff03e1ff07e1ff07e1ff07e1ff07e1ff07"
    "e101070380ff000120030002200300032003000420030005200300062003e0ff1be1ff17e2ff13e3ff2be4ff"
    "27e5f13f01ff00";

std::string unhex(const std::string& digits) {
  std::string bytes;
  for (size_t k = 0; k + 1 < digits.size(); k += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
  return bytes;
}

std::string block(const std::string& packed, size_t unpacked) {
  return bytes_of(static_cast<uint32_t>(packed.size())) +
         bytes_of(static_cast<uint32_t>(unpacked)) + packed;
}

class Pcd : public testing::Test {
 protected:
  CloudFile file_{".pcd"};
};

TEST_F(Pcd, RoundTripsAllButFaces) {
  PointCloud cloud = data_test::coloured_mesh();
  cloud.columns.push_back({"intensity", at::rand({cloud.size()}, at::kFloat)});
  cloud.columns.push_back({"ring", at::arange(cloud.size(), at::kInt) - 5});
  cloud.columns.push_back({"time", at::arange(cloud.size(), at::kLong) - (int64_t{1} << 50)});
  cloud.columns.push_back({"range", at::rand({cloud.size()}, at::kDouble)});
  PointCloud expected = cloud;
  expected.faces = Tensor();
  for (const FileEncoding encoding : {FileEncoding::kBinary, FileEncoding::kText})
    expect_identical(file_.round_trip(cloud, {encoding}), expected);
}

TEST_F(Pcd, WritesTheFieldsThatPclKnows) {
  PointCloud cloud = data_test::coloured_mesh(2);
  const std::string text = file_.written(cloud);
  EXPECT_NE(text.find("FIELDS x y z normal_x normal_y normal_z rgb\nSIZE 8 8 8 4 4 4 4\n"
                      "TYPE F F F F F F U\nCOUNT 1 1 1 1 1 1 1\nWIDTH 2\nHEIGHT 1\n"),
            std::string::npos)
      << text;
  cloud.columns.push_back({"alpha", at::tensor({255, 0}, at::kByte)});
  EXPECT_NE(file_.written(cloud).find("normal_z rgba\n"), std::string::npos);
  expect_identical(file_.round_trip(cloud), {cloud.points, cloud.normals, cloud.columns, {}});
  expect_identical(file_.round_trip(cloud, {FileEncoding::kText}),
                   {cloud.points, cloud.normals, cloud.columns, {}});
}

TEST_F(Pcd, ReadsColoursInAllTheirForms) {
  // 4.2108e+06 is the float with the bits 0x4a8080e0, as in the documentation of PCL.
  const PointCloud as_float =
      file_.read(pcd_header(1, "ascii", " rgb", " 4", " F", " 1") + "1 2 3 4.2108e+06\n");
  EXPECT_EQ(as_float.column("red").item<int>(), 0x80);
  EXPECT_EQ(as_float.column("green").item<int>(), 0x80);
  EXPECT_EQ(as_float.column("blue").item<int>(), 0xe0);
  EXPECT_FALSE(as_float.column("alpha").defined());
  const PointCloud as_integer =
      file_.read(pcd_header(1, "ascii", " rgba", " 4", " U", " 1") + "1 2 3 4278255361\n");
  EXPECT_EQ(as_integer.column("alpha").item<int>(), 0xff);
  EXPECT_EQ(as_integer.column("green").item<int>(), 0xff);
  EXPECT_EQ(as_integer.column("blue").item<int>(), 1);
  // These bits are a NaN, which must not lose its colour.
  const PointCloud as_bits = file_.read(pcd_header(1, "binary", " rgb", " 4", " F", " 1") +
                                        std::string(12, '\0') + bytes_of(uint32_t{0xff7fc123}));
  EXPECT_EQ(as_bits.column("red").item<int>(), 0x7f);
  EXPECT_EQ(as_bits.column("green").item<int>(), 0xc1);
  EXPECT_EQ(as_bits.column("blue").item<int>(), 0x23);
}

TEST_F(Pcd, PassesOverPaddingAndGroups) {
  const std::string names = " _ normal_x normal_y normal_z fpfh ring";
  const std::string start =
      pcd_header(1, "ascii", names, " 1 4 4 4 4 2", " U F F F F U", " 4 1 1 1 3 1");
  const PointCloud text = file_.read(start + "1 2 3 9 9 9 9 0 0 1 7 7 7 12\n");
  std::string bytes =
      pcd_header(1, "binary", names, " 1 4 4 4 4 2", " U F F F F U", " 4 1 1 1 3 1") +
      bytes_of(1.0F) + bytes_of(2.0F) + bytes_of(3.0F) + "PAD!";
  for (const float value : {0.0F, 0.0F, 1.0F, 7.0F, 7.0F, 7.0F}) bytes += bytes_of(value);
  for (const PointCloud& cloud : {text, file_.read(bytes + bytes_of(uint16_t{12}))}) {
    EXPECT_TRUE(identical(cloud.points, rows({1, 2, 3})));
    EXPECT_TRUE(identical(cloud.normals, rows({0, 0, 1}).to(at::kFloat)));
    ASSERT_EQ(cloud.columns.size(), 1U);
    EXPECT_TRUE(identical(cloud.column("ring"), at::tensor({12}, at::kInt)));
  }
}

TEST_F(Pcd, ReadsCompressedPoints) {
  const std::string bytes =
      pcd_header(400, "binary_compressed", " rgb", " 4", " U", " 1") + block(unhex(kPacked), 6400);
  const PointCloud cloud = file_.read(bytes);
  const Tensor k = at::arange(400, at::kDouble);
  const Tensor expected = at::stack({k.fmod(20), (k / 20).floor(), at::full_like(k, 0.5)}, 1);
  EXPECT_TRUE(identical(cloud.points, expected));
  EXPECT_TRUE(identical(cloud.column("red"), at::full({400}, 0xff, at::kByte)));
  EXPECT_TRUE(identical(cloud.column("green"), at::full({400}, 0x80, at::kByte)));
  EXPECT_TRUE(identical(cloud.column("blue"), k.fmod(7).to(at::kByte)));
  for (size_t cut = 1; cut < 275; ++cut) file_.complaint(bytes.substr(0, bytes.size() - cut));
}

TEST_F(Pcd, RefusesDamagedCompression) {
  const std::string start = pcd_header(2, "binary_compressed");
  const auto complaint = [&](const std::string& packed) {
    return file_.complaint(start + block(packed, 24));
  };
  const std::string byte = c10::str("cloud.pcd: byte ", start.size() + 8);
  // Twelve literal zeros, then twelve bytes from twelve back.
  const std::string whole = "\x0b" + std::string(12, '\0') + "\xe0\x03\x0b";
  EXPECT_TRUE(
      identical(file_.read(start + block(whole, 24)).points, at::zeros({2, 3}, at::kDouble)));
  EXPECT_NE(complaint("\x0b" + std::string(12, '\0')).find("end too early"), std::string::npos);
  EXPECT_NE(complaint("\x1f" + std::string(12, '\0')).find("cut short"), std::string::npos);
  EXPECT_NE(complaint("\x0b" + std::string(12, '\0') + "\xe0\x03\x0c").find("damaged"),
            std::string::npos);
  EXPECT_EQ(file_.complaint(start + block(whole, 36)),
            byte + ": the compressed points have 36 bytes; expected 12 for each of 2 points");
  EXPECT_EQ(file_.complaint(pcd_header(100, "binary_compressed") + block("\x20", 1200)),
            c10::str("cloud.pcd: byte ", start.size() + 12, ": 1 bytes cannot hold 100 points"));
}

TEST_F(Pcd, InvalidPointsOfOrganisedClouds) {
  const std::string text = pcd_header(3, "ascii") + "1 2 3\nnan nan nan\n4 5 6\n";
  EXPECT_EQ(file_.complaint(text),
            "cloud.pcd:13: point 1 is (nan, nan, nan); expected finite coordinates, remove it or "
            "allow invalid points");
  PointCloud cloud = file_.read(text, {InvalidPoints::kKeep});
  EXPECT_EQ(cloud.size(), 3);
  EXPECT_EQ(drop_invalid_points(cloud), 1);
  EXPECT_TRUE(identical(cloud.points, rows({1, 2, 3, 4, 5, 6})));
  const std::string packed = "\x0b" + bytes_of(0.0F) + bytes_of(NAN) + bytes_of(1.0F);
  const std::string said = file_.complaint(pcd_header(1, "binary_compressed") + block(packed, 12));
  EXPECT_NE(said.find("point 0 is (0, nan, 1)"), std::string::npos) << said;
}

TEST_F(Pcd, SaysWhereTheFileEnds) {
  EXPECT_EQ(file_.complaint(pcd_header(3, "ascii") + "1 2 3\n"),
            "cloud.pcd:12: the file ends after 1 of 3 points; copy or export it again");
  const std::string binary = pcd_header(3, "binary");
  EXPECT_EQ(file_.complaint(binary + std::string(30, '\0')),
            c10::str("cloud.pcd: byte ", binary.size() + 30,
                     ": the file ends after 2 of 3 points; copy or export it again"));
  for (const char* data : {"ascii", "binary", "binary_compressed"})
    file_.complaint(pcd_header(9'000'000'000'000'000'000, data) + "1 2 3 4 5 6\n");
}

TEST_F(Pcd, RefusesBigEndianNumbers) {
  std::string little = pcd_header(300, "binary"), big = little;
  for (int k = 0; k < 900; ++k) {
    little += bytes_of(static_cast<float>(std::sin(k)));
    big += big_endian(static_cast<float>(std::sin(k)));
  }
  EXPECT_EQ(file_.read(little).size(), 300);
  EXPECT_NE(file_.complaint(big).find("written on a big-endian machine"), std::string::npos);
  EXPECT_EQ(file_.complaint(pcd_header(1, "binary_big_endian")),
            "cloud.pcd:11: DATA binary_big_endian; expected ascii, binary or binary_compressed, "
            "the binary ones little-endian");
}

TEST_F(Pcd, RefusesOtherFilesAndDamagedHeaders) {
  EXPECT_EQ(file_.complaint(""), "cloud.pcd: the file is empty; export it again");
  EXPECT_EQ(file_.complaint("ply\nformat ascii 1.0\n"),
            "cloud.pcd: this is no PCD file; expected a header that begins with VERSION");
  EXPECT_EQ(file_.complaint("VERSION .7\nFIELDS x y z\n"),
            "cloud.pcd:2: the file ends inside the header; expected 'DATA ascii', 'binary' or "
            "'binary_compressed'");
  EXPECT_EQ(file_.complaint("VERSION .7\nFIELDS x y z\nCOLOUR red\n"),
            "cloud.pcd:3: 'COLOUR' in the header; expected VERSION, FIELDS, SIZE, TYPE, COUNT, "
            "WIDTH, HEIGHT, VIEWPOINT, POINTS or DATA");
  EXPECT_EQ(file_.complaint(pcd_header(1, "ascii", " i")),
            "cloud.pcd:11: FIELDS, SIZE, TYPE and COUNT have 4, 3, 3 and 3 entries; expected as "
            "many in each");
  EXPECT_EQ(file_.complaint(pcd_header(1, "ascii", " i", " 3", " F", " 1")),
            "cloud.pcd:11: a field of TYPE F and SIZE 3; expected I or U with 1, 2, 4, 8 or F with "
            "4, 8");
  EXPECT_EQ(file_.complaint("VERSION .7\nFIELDS x y\nSIZE 4 4\nTYPE F F\nPOINTS 0\nDATA ascii\n"),
            "cloud.pcd:6: points have no 'z', only x, y; expected x, y and z");
  EXPECT_EQ(file_.complaint("VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nWIDTH 2\nHEIGHT 3\n"
                            "POINTS 5\nDATA ascii\n"),
            "cloud.pcd:8: WIDTH x HEIGHT is 2 x 3, but POINTS is 5; expected the same number");
  EXPECT_EQ(file_.complaint(pcd_header(1, "ascii") + "1 2\n"),
            "cloud.pcd:12: the line has 2 numbers; expected 3, one for each of x ... z");
}

}  // namespace
}  // namespace equiframe
