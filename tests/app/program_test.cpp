/// The program as a user meets it: output, JSON, exit codes, and one line for every mistake.
#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

struct Run {
  int code = -1;
  std::string out;  // standard output and error together
};

Run run(const std::string& arguments, const std::string& redirect = " 2>&1") {
  Run result;
  FILE* pipe = popen((std::string(EQUIFRAME_PROGRAM) + " " + arguments + redirect).c_str(), "r");
  std::array<char, 4096> buffer{};
  size_t count = 0;
  while ((count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
    result.out.append(buffer.data(), count);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

nlohmann::json json_of(const std::string& arguments, int expected_code = 0) {
  const Run result = run(arguments, " 2>/dev/null");
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
  const Run result = run("check --group C4");
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
  EXPECT_NE(run("list frames").out.find("canonical"), std::string::npos);
}

TEST(Doctor, ReportsTheMachineAsJson) {
  const Run result = run("doctor --json", " 2>/dev/null");
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
      {"check --nonsense", "--help"},
      {"chekc", "--help"},
      {"", "--help"},
      {"list everything", "--help"},
      {"demo --out /nonexistent/folder/page.html", "/nonexistent/folder"}};
  for (const auto& [arguments, part] : cases) {
    const Run result = run(arguments);
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.out;
    EXPECT_NE(result.out.find(part), std::string::npos) << arguments << ": " << result.out;
    const size_t first = result.out.find('\n');
    EXPECT_EQ(first, result.out.size() - 1) << "more than one line: " << result.out;
  }
}

TEST(Program, HelpAndVersionSucceed) {
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("check --help").code, 0);
  const Run version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("equiframe 0.", 0), 0U) << version.out;
}

TEST(Program, AFullDiskIsReported) {
  const Run result = run("list --json", " 2>&1 >/dev/full");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.out.find("cannot write"), std::string::npos) << result.out;
}

}  // namespace
