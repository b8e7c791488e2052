#include "equiframe/io/point_files.h"

#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/io/clouds/cloud_files.h"

namespace equiframe {
namespace {

using data_test::CloudFile;
using data_test::identical;
using data_test::message_of;
using data_test::rows;
using data_test::TemporaryFolder;

TEST(PointFiles, ListsWhatItKnows) {
  EXPECT_EQ(point_file_extensions(),
            (std::vector<std::string>{".csv", ".npy", ".obj", ".off", ".pcd", ".ply", ".pts",
                                      ".stl", ".txt", ".xyz"}));
}

TEST(PointFiles, UnknownExtensionsAreNamedWithTheKnownOnes) {
  const std::string known =
      "; expected one of .csv, .npy, .obj, .off, .pcd, .ply, .pts, .step, .stl, .stp, .txt, .xyz";
  EXPECT_EQ(message_of<UserError>([] { read_points("scan.las"); }),
            "'scan.las' has the unknown extension '.las'" + known);
  EXPECT_EQ(message_of<UserError>([] { write_points("scan", {}); }),
            "'scan' has no extension" + known);
}

TEST(PointFiles, ExtensionsInUpperCase) {
  const CloudFile file(".PLY");
  EXPECT_EQ(file.round_trip(data_test::survey(3)).size(), 3);
}

TEST(PointFiles, MissingFilesFoldersAndPipes) {
  const TemporaryFolder folder;
  for (const std::string& extension : point_file_extensions()) {
    const auto path = folder / ("a" + extension);
    EXPECT_EQ(message_of<UserError>([&] { read_points(path); }),
              "cannot read '" + path.string() + "': there is no such file; check the path");
    std::filesystem::create_directory(path);
    EXPECT_EQ(message_of<UserError>([&] { read_points(path); }),
              "cannot read '" + path.string() + "': it is a folder, expected a file");
  }
  const auto pipe = folder / "pipe.xyz";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(message_of<UserError>([&] { read_points(pipe); }).find("a pipe or a device"),
            std::string::npos);
}

/// Files of several chunks: nothing is lost where one ends.
TEST(PointFiles, LargeOffsetsSurviveInLongFiles) {
  const PointCloud cloud = data_test::survey(100'000);
  for (const std::string& extension : point_file_extensions()) {
    if (extension == ".stl") continue;  // no faces
    SCOPED_TRACE(extension);
    const CloudFile file(extension);
    for (const FileEncoding encoding : {FileEncoding::kBinary, FileEncoding::kText})
      EXPECT_TRUE(identical(file.round_trip(cloud, {encoding}).points, cloud.points));
    EXPECT_EQ(data_test::entries(file.path().parent_path()), 1);  // nothing temporary is left
  }
}

TEST(PointFiles, CloudsThatAreNoneAreBugs) {
  const CloudFile file(".ply");
  const Tensor points = rows({0, 0, 0, 1, 1, 1});
  const auto refused = [&](const PointCloud& cloud) {
    return message_of<c10::Error>([&] { write_points(file.path(), cloud); });
  };
  EXPECT_NE(refused({}).find("no points"), std::string::npos);
  EXPECT_NE(refused({points.to(at::kFloat), {}, {}, {}}).find("points must be Double [2, 3]"),
            std::string::npos);
  EXPECT_NE(refused({points, points, {}, {}}).find("normals must be Float [2, 3]"),
            std::string::npos);
  EXPECT_NE(refused({points, {}, {{"x", at::zeros({2})}}, {}}).find("'x'"), std::string::npos);
  EXPECT_NE(refused({points, {}, {{"a", at::zeros({3})}}, {}}).find("a must be Float [2]"),
            std::string::npos);
  EXPECT_NE(refused({points, {}, {}, data_test::corners({0, 1, 2})}).find("no point"),
            std::string::npos);
}

TEST(PointFiles, ViewsAreWrittenByTheirValues) {
  const CloudFile file(".ply");
  const Tensor wide = at::rand({10, 6}, at::kDouble);
  const PointCloud cloud{wide.narrow(1, 3, 3), {}, {{"a", wide.select(1, 0)}}, {}};
  const PointCloud back = file.round_trip(cloud, {FileEncoding::kBinary, CoordinateType::kFloat64});
  EXPECT_TRUE(identical(back.points, cloud.points));
  EXPECT_TRUE(identical(back.column("a"), cloud.columns[0].values));
}

}  // namespace
}  // namespace equiframe
