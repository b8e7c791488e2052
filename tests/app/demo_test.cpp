/// `equiframe demo` as a user meets it.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"
namespace {

using equiframe::app_test::Outcome;

Outcome demo(const std::string& arguments, const std::string& environment = "") {
  return equiframe::app_test::run_program("demo " + arguments, environment);
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Demo : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / (std::string("demo_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(Demo, ErrorsFallFromOrderOneToRounding) {
  const Outcome run = demo("--json " + file("demo.json"));
  EXPECT_EQ(run.code, 0) << run.out;
  const auto report = nlohmann::json::parse(content(file("demo.json")));
  EXPECT_TRUE(report["pass"].get<bool>());
  std::set<std::string> groups;
  for (const auto& row : report["rows"]) {
    groups.insert(row["group"].get<std::string>());
    EXPECT_GT(row["before"].get<double>(), 0.1) << row;
    EXPECT_LE(row["after_float64"].get<double>(), 1e-12) << row;
    EXPECT_LE(row["after_float32"].get<double>(), 1e-5) << row;
    if (row["frame"] == "canonical") {
      EXPECT_EQ(row["after_float32"].get<double>(), 0) << row;
    }
    if (row["input"] == "cube") {
      EXPECT_EQ(row["elements"].get<int>(), row["group"].get<std::string>()[0] == 'S' ? 24 : 48);
    }
  }
  EXPECT_EQ(groups, (std::set<std::string>{"T(3)", "O(3)", "SO(3)", "E(3)", "SE(3)", "E(2)", "D(6)",
                                           "flips(3)", "S(8)"}));
  EXPECT_GT(report["spread"]["ordinary"].get<double>(), 0.1);
  EXPECT_LT(report["spread"]["averaged"].get<double>(), 1e-12);
}

TEST_F(Demo, WritesOnePageThatNeedsNothingElse) {
  EXPECT_EQ(demo("--out " + file("demo.html")).code, 0);
  const std::string page = content(file("demo.html"));
  for (const char* part :
       {"<!DOCTYPE html>", "</html>", "<svg", "<table>", "g⁻¹ f(gX)", "LibTorch"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* part : {"<script", "src=", "nan", "inf<"})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
}

TEST_F(Demo, TheSameSeedAndDateGiveTheSameFiles) {
  const auto write = [&](const std::string& name) {
    EXPECT_EQ(demo("--out " + file((name + ".html").c_str()) + " --picture " +
                       file((name + ".svg").c_str()),
                   "SOURCE_DATE_EPOCH=1700000000")
                  .code,
              0);
  };
  write("a");
  write("b");
  EXPECT_EQ(content(file("a.html")), content(file("b.html")));
  EXPECT_EQ(content(file("a.svg")), content(file("b.svg")));
  EXPECT_NE(content(file("a.html")).find("2023-11-14 22:13 UTC"), std::string::npos);
}

TEST_F(Demo, PlacesThatCannotBeWrittenAreRefusedInOneLine) {
  for (const std::string& place : {file("no/demo.html"), folder_.string()}) {
    const Outcome run = demo("--out " + place);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out.find("equiframe: cannot write '" + place), 0U) << run.out;
    EXPECT_EQ(run.out.find('\n'), run.out.size() - 1) << run.out;
  }
  EXPECT_EQ(demo("", "SOURCE_DATE_EPOCH=yesterday").code, 0) << "the date is the page's";
  EXPECT_EQ(demo("--out " + file("a.html"), "SOURCE_DATE_EPOCH=yesterday").code, 2);
}

}  // namespace
