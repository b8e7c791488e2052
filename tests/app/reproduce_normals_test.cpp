/// `equiframe reproduce normals` as a user meets it.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  return TinyRun::instance().folder() / "normals";
}

/// Twelve smooth shapes, made once.
std::string shapes() {
  const fs::path place = folder() / "shapes";
  if (!fs::exists(place / "manifest.json")) {
    const Outcome made =
        run_program("data cad --models 12 --points 64 --kinds organic --out " + place.string());
    EXPECT_EQ(made.code, 0) << made.out;
  }
  return place.string();
}

/// A row with a symmetry and one without, as small as they come.
std::string normals_configs() {
  const fs::path place = folder() / "configs" / "normals";
  fs::create_directories(place);
  for (const std::string row : {"pointnet", "fa-pointnet"})
    std::ofstream(place / (row + ".toml"))
        << "[data]\nname = \"cad\"\n\n[model]\nname = \"" << row
        << "\"\n\n[train]\nepochs = 2\nbatch = 4\nlr = 1e-3\nloss = \"unoriented\"\n\n"
           "[paper]\ntable = \"Table 1\"\nrow = \""
        << row << " of the paper\"\nvalue = 0.2\ncolumns = { \"I/SO(3)\" = 0.3 }\n";
  return place.parent_path().string();
}

std::string reproduce_normals(const std::string& name, const std::string& more) {
  return "reproduce normals --configs " + normals_configs() + " --data " + shapes() + " --out " +
         (folder() / name).string() +
         " --set data.train=8 --set data.valid=2 --set data.test=2 --set data.points=32"
         " --set train.batch=4 --set train.max_seconds=1 --parts train " +
         more;
}

TEST(ReproduceNormals, HasThreeColumnsFromTwoRunsAndReusesThem) {
  const auto printed = json_of(reproduce_normals("table", "--rows pointnet,fa-pointnet --json"));
  const auto saved = nlohmann::json::parse(read_file(folder() / "table" / "report.json"));
  EXPECT_EQ(printed, saved);
  ASSERT_EQ(saved["rows"].size(), 2U);
  for (const auto& row : saved["rows"]) {
    const std::string name = row["row"];
    ASSERT_EQ(row["runs"].size(), 2U) << name;
    const auto upright =
        nlohmann::json::parse(read_file(folder() / "table" / (name + "-I-1") / "result.json"));
    const auto turned =
        nlohmann::json::parse(read_file(folder() / "table" / (name + "-SO3-1") / "result.json"));
    const double again = row["columns"]["I/I"]["ours"];
    EXPECT_NEAR(again, upright["metrics"]["test_normal_error"].get<double>(), 1e-6) << name;
    EXPECT_EQ(row["columns"]["SO(3)/SO(3)"]["ours"], turned["metrics"]["test_normal_error"]);
    EXPECT_EQ(row["columns"]["I/I"]["paper"], 0.2);
    EXPECT_EQ(row["columns"]["I/SO(3)"]["paper"], 0.3);
    EXPECT_TRUE(row["columns"]["SO(3)/SO(3)"]["paper"].is_null());
  }
  EXPECT_LT(saved["rows"][1]["largest_gap"].get<double>(), 1e-4) << "equivariant";
  EXPECT_LT(saved["rows"][1]["turning"][0]["mean_angle"].get<double>(), 0.1);
  EXPECT_GT(saved["rows"][0]["turning"][0]["mean_angle"].get<double>(), 1) << "not equivariant";
  const std::string page = read_file(folder() / "table" / "report.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);

  const Outcome again = run_program(reproduce_normals("table", "--rows pointnet,fa-pointnet"));
  EXPECT_EQ(again.code, 0) << again.out;
  EXPECT_NE(again.out.find("4 of 4 runs are finished and reused"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("| pointnet of the paper"), std::string::npos) << again.out;
}

TEST(ReproduceNormals, AsItIsTrainsNothing) {
  const auto report = json_of(reproduce_normals("nothing", "--rows pointnet --as-is --json"));
  EXPECT_TRUE(report["rows"][0]["columns"]["I/I"]["ours"].is_null());
  EXPECT_FALSE(fs::exists(folder() / "nothing" / "pointnet-I-1"));
}

TEST(ReproduceNormals, MistakesGetOneLine) {
  expect_one_line(reproduce_normals("x", "--rows pointnets"), "did you mean 'pointnet'");
  expect_one_line(reproduce_normals("x", "--rows pointnet --budget fast"),
                  "no budget named 'fast'");
  expect_one_line(reproduce_normals("x", "--rows pointnet --abc /nonexistent"), "--data and --abc");
  expect_one_line("reproduce normals --parts drain --configs " + normals_configs(),
                  "no part named");
  expect_one_line("reproduce normals --mesh /nonexistent.obj --out " + (folder() / "x").string() +
                      " --configs " + normals_configs(),
                  "/nonexistent.obj");
}

}  // namespace
}  // namespace equiframe::app_test
