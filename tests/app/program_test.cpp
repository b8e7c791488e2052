/// The program as a user meets it: output, JSON, exit codes, and one line for every mistake.
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"

namespace {

using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;

nlohmann::json json_of(const std::string& arguments, int expected_code = 0) {
  const Outcome result = run_program(arguments, "", "2>/dev/null");
  EXPECT_EQ(result.code, expected_code) << result.out;
  return nlohmann::json::parse(result.out);
}

TEST(Check, PrintsTheLawsAsJson) {
  const auto report = json_of("check --group 'E(3)' --frame minimal --json");
  EXPECT_TRUE(report["pass"].get<bool>());
  ASSERT_GT(report["laws"].size(), 20U);
  for (const auto& law : report["laws"]) {
    for (const char* key : {"law", "subject", "dtype", "error", "tolerance", "pass"})
      ASSERT_TRUE(law.contains(key)) << key;
    EXPECT_LE(law["error"].get<double>(), law["tolerance"].get<double>());
  }
}

TEST(Check, PrintsATableWithTheCount) {
  const Outcome result = run_program("check --group C4");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("laws measured, 0 failed"), std::string::npos) << result.out;
}

TEST(List, NamesGroupsFramesAndTypes) {
  const auto all = json_of("list --json");
  EXPECT_EQ(all["groups"].size(), 9U);
  EXPECT_EQ(all["frames"].size(), 8U);
  EXPECT_EQ(all["types"].size(), 9U);
  for (const auto& frame : all["frames"]) {
    EXPECT_FALSE(frame["groups"].empty()) << frame["name"];
    if (frame["name"] == "pca") {
      EXPECT_EQ(frame["groups"], (nlohmann::json{"O(d)", "SO(d)", "E(d)", "SE(d)"}));
    }
  }
  EXPECT_NE(run_program("list frames").out.find("canonical"), std::string::npos);
}

TEST(Doctor, ReportsTheMachineAsJson) {
  const Outcome result = run_program("doctor --json", "", "2>/dev/null");
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(result.code, report["healthy"].get<bool>() ? 0 : 1);
  for (const char* key : {"equiframe", "libtorch", "cpu", "simd", "threads", "blas", "findings"})
    EXPECT_TRUE(report.contains(key)) << key;
  EXPECT_TRUE(report["blas"].contains("gflops_after"));
}

/// Wrong input: exit 2 and one line that says what to do.
TEST(Program, MistakesGetOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"check --group 'X(3)'", "no group named 'X(3)'"},
      {"check --frame pac", "did you mean 'pca'"},
      {"check --dtype float16", "float64, float32"},
      {"check --nonsense", "check --help"},
      {"list everything", "groups, frames"},
      {"demo --out /nonexistent/folder/page.html", "/nonexistent/folder"}};
  for (const auto& [arguments, part] : cases) {
    const Outcome result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.out;
    EXPECT_NE(result.out.find(part), std::string::npos) << arguments << ": " << result.out;
    const size_t first = result.out.find('\n');
    EXPECT_EQ(first, result.out.size() - 1) << "more than one line: " << result.out;
  }
}

TEST(Program, HelpAndVersionSucceed) {
  EXPECT_EQ(run_program("--help").code, 0);
  EXPECT_EQ(run_program("check --help").code, 0);
  const Outcome version = run_program("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("equiframe 0.", 0), 0U) << version.out;
}

TEST(Program, AFullDiskIsReported) {
  const Outcome result = run_program("list --json", "", "2>&1 >/dev/full");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.out.find("cannot write"), std::string::npos) << result.out;
}

}  // namespace
