/// `equiframe reproduce nbody` as a user meets it.
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;

/// Configs of two cheap rows on the small data set, the second with a rate of its own.
fs::path configs(const std::string& rate = "1e-3") {
  const fs::path folder = TinyRun::instance().folder() / "reproduce" / ("configs" + rate) / "nbody";
  fs::create_directories(folder);
  for (const auto& [row, model, value] :
       {std::tuple{std::string("linear"), "linear", 0.0819}, {"rf", "radial-field", 0.0104}})
    std::ofstream(folder / (row + ".toml"))
        << "[data]\nname = \"nbody\"\ntrain = 60\nvalid = 20\ntest = 20\n\n[model]\nname = \""
        << model << "\"\n\n[train]\nepochs = 12\nbatch = 20\nlr = " << (row == "rf" ? rate : "1e-3")
        << "\n\n[paper]\ntable = \"Table 3\"\nrow = \"" << row
        << " of the paper\"\nvalue = " << value << "\n";
  return folder.parent_path();
}

fs::path out(const std::string& name) {
  return TinyRun::instance().folder() / "reproduce" / name;
}

std::string reproduce(const std::string& name, const std::string& more = "") {
  return "reproduce nbody --configs " + configs().string() + " --data " +
         TinyRun::instance().data() + " --out " + out(name).string() + " --jobs 2 " + more;
}

std::string four_digits(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4f", value);
  return buffer;
}

TEST(Reproduce, WritesThreeReportsThatAgreeAndReusesTheRuns) {
  const auto printed = json_of(reproduce("table", "--rows linear,rf --json"));
  const auto saved = nlohmann::json::parse(read_file(out("table") / "report.json"));
  EXPECT_EQ(printed, saved);
  const std::string page = read_file(out("table") / "report.html");
  const std::string text = read_file(out("table") / "report.md");
  ASSERT_EQ(saved["rows"].size(), 2U);
  for (const auto& row : saved["rows"]) {
    const std::string name = row["row"];
    const auto result =
        nlohmann::json::parse(read_file(out("table") / (name + "-1") / "result.json"));
    EXPECT_EQ(row["test_mse"], result["metrics"]["test_mse"]);
    EXPECT_EQ(row["parameters"], result["parameters"]);
    EXPECT_EQ(row["paper"]["value"], name == "linear" ? 0.0819 : 0.0104);
    EXPECT_EQ(row["runs"][0]["curve"].size(), 3U);  // epochs 5, 10, 12
    for (const std::string& part :
         {name + " of the paper", four_digits(row["test_mse"]), std::string("full: 12 epochs")}) {
      EXPECT_NE(page.find(part), std::string::npos) << part;
      EXPECT_NE(text.find(part), std::string::npos) << part;
    }
  }
  EXPECT_EQ(saved["figures"]["samples"], 60);
  EXPECT_EQ(saved["figures"]["figure_3"][0]["frame"], 30);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);

  const auto time = fs::last_write_time(out("table") / "rf-1" / "result.json");
  const Outcome again = run_program(reproduce("table", "--rows linear,rf"));
  EXPECT_EQ(again.code, 0) << again.out;
  EXPECT_NE(again.out.find("2 of 2 runs are finished and reused"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("| linear of the paper"), std::string::npos) << again.out;
  EXPECT_EQ(fs::last_write_time(out("table") / "rf-1" / "result.json"), time);
}

TEST(Reproduce, ARunOfAnotherConfigIsKeptAside) {
  ASSERT_EQ(run_program(reproduce("aside", "--rows linear")).code, 0);
  const std::string before = read_file(out("aside") / "linear-1" / "config.toml");
  const Outcome other = run_program(reproduce("aside", "--rows linear --set train.lr=1e-2"));
  EXPECT_EQ(other.code, 0) << other.out;
  EXPECT_NE(other.out.find("kept as linear-1."), std::string::npos) << other.out;
  EXPECT_NE(other.out.find("other settings, full: 12 epochs"), std::string::npos) << other.out;
  size_t found = 0;
  for (const auto& entry : fs::directory_iterator(out("aside")))
    if (entry.is_directory() && read_file(entry.path() / "config.toml") == before) ++found;
  EXPECT_EQ(found, 1U);
}

TEST(Reproduce, AnInterruptedCommandSaysHowToGoOnAndGoesOn) {
  const std::string endless = "--rows linear --set train.epochs=100000000 ";
  const std::string metrics = (out("stopped") / "linear-1" / "metrics.jsonl").string();
  const Outcome stopped =
      run_program(reproduce("stopped", endless + "--set train.max_seconds=600"), "",
                  "2>&1 & process=$!; for i in $(seq 300); do test -s " + metrics +
                      " && break; sleep 0.1; done; sleep 0.5; kill -TERM $process; wait $process");
  EXPECT_EQ(stopped.code, 130) << stopped.out;
  EXPECT_NE(stopped.out.find("Go on with:\n  equiframe reproduce nbody"), std::string::npos)
      << stopped.out;
  EXPECT_TRUE(fs::exists(out("stopped") / "linear-1" / "checkpoint.safetensors"));
  EXPECT_FALSE(fs::exists(out("stopped") / "linear-1" / "result.json"));
  const Outcome rest = run_program(reproduce("stopped", endless + "--set train.max_seconds=0.1"));
  EXPECT_EQ(rest.code, 0) << rest.out;
  EXPECT_NE(read_file(out("stopped") / "linear-1" / "log.txt").find("going on from epoch"),
            std::string::npos);
  EXPECT_NE(rest.out.find("reduced: 0 s"), std::string::npos) << rest.out;
}

TEST(Reproduce, ARowThatFailsIsNamedAndTheOthersAreReported) {
  const Outcome run = run_program("reproduce nbody --configs " + configs("1e30").string() +
                                  " --data " + TinyRun::instance().data() + " --out " +
                                  out("failed").string() + " --rows linear,rf");
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_NE(run.out.find("rf-1 is not finished: equiframe: the loss is"), std::string::npos)
      << run.out;
  const auto report = nlohmann::json::parse(read_file(out("failed") / "report.json"));
  EXPECT_GT(report["rows"][0]["test_mse"].get<double>(), 0);
  EXPECT_NE(report["rows"][1]["failure"], "");
  EXPECT_TRUE(report["rows"][1]["test_mse"].is_null());
}

TEST(Reproduce, MistakesGetOneLine) {
  expect_one_line(reproduce("x", "--rows lineer"), "did you mean 'linear'");
  expect_one_line(reproduce("x", "--budget fast"), "no budget named 'fast'");
  expect_one_line(reproduce("x"), "no row named 'se3-transformer'");
  expect_one_line("reproduce nbody --configs /nonexistent", "--configs");
  expect_one_line(reproduce("configs1e-3/nbody/linear.toml/x", "--rows linear"), "--out");
}

}  // namespace
}  // namespace equiframe::app_test
