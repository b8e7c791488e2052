/// `equiframe train` as a user meets it.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;

TEST(Train, LeavesARunFolder) {
  const fs::path run = TinyRun::instance().run();
  const auto result = nlohmann::json::parse(read_file(run / "result.json"));
  EXPECT_EQ(result["model"], "linear");
  EXPECT_EQ(result["parameters"], 1);
  EXPECT_EQ(result["paper"]["value"], 0.0819);
  EXPECT_GT(result["metrics"]["test_mse"].get<double>(), 0);
  const std::string metrics = read_file(run / "metrics.jsonl");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 3);  // epochs 5, 10, 12
  EXPECT_NE(read_file(run / "config.toml").find("evaluate_every = 5"), std::string::npos);
}

TEST(Train, FolderIsNamedAfterConfigAndSeed) {
  const TinyRun& tiny = TinyRun::instance();
  const Outcome result =
      run_program("train " + tiny.config() + " --data " + tiny.data() + " --seed 7 --json",
                  "cd " + tiny.folder().string() + " &&", "2>/dev/null");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(nlohmann::json::parse(result.out)["seed"], 7);
  EXPECT_TRUE(fs::exists(tiny.folder() / "runs" / "tiny" / "row-7" / "result.json"));
}

TEST(Train, SetWinsOverTheConfig) {
  const auto result = json_of(TinyRun::instance().train("set") +
                              " --set train.epochs=3 --set model.name=radial-field --json");
  EXPECT_EQ(result["metrics"]["epochs"], 3);
  EXPECT_EQ(result["parameters"], 2052);
}

TEST(Train, AFinishedRunIsRefusedReportedOrExtended) {
  const TinyRun& tiny = TinyRun::instance();
  expect_one_line(tiny.train("finished"), "--resume");
  const fs::path copy = tiny.folder() / "extended";
  fs::copy(tiny.run(), copy);
  const Outcome longer = run_program("train " + copy.string() + " --resume --data " + tiny.data() +
                                     " --set train.epochs=14");
  EXPECT_EQ(longer.code, 0) << longer.out;
  EXPECT_NE(longer.out.find("going on from epoch 12"), std::string::npos) << longer.out;
  EXPECT_NE(longer.out.find("test MSE"), std::string::npos) << longer.out;
}

TEST(Train, MistakesGetOneLine) {
  const TinyRun& tiny = TinyRun::instance();
  expect_one_line(tiny.train("x") + " --set train.epoch=3", "'epochs'");
  expect_one_line(tiny.train("x") + " --set model.name=liner", "did you mean 'linear'");
  expect_one_line(tiny.train("x") + " --set data.train=5000", "60");
  expect_one_line("train /nonexistent.toml", "/nonexistent.toml");
  expect_one_line(tiny.train("configs/tiny/row.toml/x"), "cannot write");
  expect_one_line(tiny.train("x") + " --set train.lr=1e300", "the loss is");
}

}  // namespace
}  // namespace equiframe::app_test
