/// Files are the same in programs that honour a locale with a decimal comma.
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "equiframe/datasets/cad_set.h"
#include "equiframe/datasets/nbody.h"
#include "equiframe/io/npy.h"
#include "io/graphs/graph_text.h"
#include "tests/io/clouds/cloud_files.h"
#include "tests/support/german_numbers.h"

namespace equiframe {
namespace {

using data_test::identical;
using data_test::read_file;
using data_test::TemporaryFolder;

/// More than a thousand of everything, since a locale also groups digits.
PointCloud cloud() {
  constexpr int64_t kPoints = 1200;
  PointCloud result;
  const auto row = at::arange(kPoints, at::kDouble);
  result.points = at::stack({row * 1234.5, row.sin() * 1e-7, -row}, 1);
  result.normals = at::stack({row.sin(), row.cos(), 0 * row}, 1).to(at::kFloat);
  result.columns = {{"intensity", (row * 0.25).to(at::kFloat)}, {"label", row.to(at::kLong) * 100}};
  result.faces =
      at::stack({row.slice(0, 2), row.slice(0, 1, -1), row.slice(0, 0, -2)}, 1).to(at::kLong);
  return result;
}

/// A graph with more than a thousand nodes.
SimpleGraph long_path() {
  SimpleGraph graph;
  graph.nodes = 1200;
  for (int32_t k = 1; k < graph.nodes; ++k) graph.edges.push_back({k - 1, k});
  return graph;
}

/// Everything that is written, by name of the file.
std::map<std::string, std::string> written(const std::filesystem::path& folder) {
  for (const std::string& extension : point_file_extensions())
    for (const FileEncoding encoding : {FileEncoding::kText, FileEncoding::kBinary}) {
      PointFileOptions options;
      options.encoding = encoding;
      const std::string name = encoding == FileEncoding::kText ? "text" : "binary";
      write_points(folder / (name + extension), cloud(), options);
    }
  write_npy(folder / "array.npy", cloud().points);
  write_graph_text(folder / "graphs.txt", {long_path()});
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files[entry.path().filename()] = read_file(entry.path());
  return files;
}

/// Reads back all that `written` wrote, and by the same numbers as `expected`.
void expect_read(const std::filesystem::path& folder,
                 const std::map<std::string, PointCloud>& expected) {
  for (const auto& [name, before] : expected) {
    const PointCloud now = read_points(folder / name);
    EXPECT_TRUE(identical(now.points, before.points)) << name;
    EXPECT_TRUE(identical(now.normals, before.normals)) << name;
    EXPECT_TRUE(identical(now.faces, before.faces)) << name;
    ASSERT_EQ(now.columns.size(), before.columns.size()) << name;
    for (size_t k = 0; k < now.columns.size(); ++k)
      EXPECT_TRUE(identical(now.columns[k].values, before.columns[k].values)) << name;
  }
  EXPECT_EQ(read_graph_text(folder / "graphs.txt").front().nodes, 1200);
}

TEST(Locale, FilesAreWrittenAndReadAsEver) {
  const TemporaryFolder plain, german;
  const auto files = written(plain.path());
  std::map<std::string, PointCloud> clouds;
  for (const auto& [name, bytes] : files)
    if (name.starts_with("text.") || name.starts_with("binary."))
      clouds[name] = read_points(plain / name);
  ASSERT_GT(clouds.size(), 10U);
  const test_support::GermanPrintf print;
  const test_support::GermanStreams streams;
  for (const auto& [name, bytes] : written(german.path()))
    EXPECT_TRUE(bytes == files.at(name)) << name << " depends on the locale";
  expect_read(plain.path(), clouds);
}

TEST(Locale, NamesOfDataAreAsEver) {
  NBodyOptions particles;
  particles.seed = 1234567;
  CadOptions cad;
  cad.seed = 1234567;
  const std::string before = particles.str() + cad.str();
  const test_support::GermanPrintf print;
  const test_support::GermanStreams streams;
  EXPECT_EQ(particles.str() + cad.str(), before);
}

/// So that a test above that passes has had the comma of printf and strtod to pass.
TEST(Locale, IsThere) {
  const test_support::GermanPrintf print;
  if (!print.works()) GTEST_SKIP() << print.reason();
  EXPECT_EQ(std::strtod("0,5", nullptr), 0.5);
}

}  // namespace
}  // namespace equiframe
