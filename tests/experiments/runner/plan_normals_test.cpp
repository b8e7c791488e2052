/// Which runs Table 1 needs.
#include <fstream>

#include <gtest/gtest.h>

#include "experiments/runner/reproduce.h"
#include "tests/io/temporary_folder.h"

namespace {

using namespace equiframe::experiments;

class PlanNormals : public ::testing::Test {
 protected:
  PlanNormals() {
    for (const char* row : {"pointnet", "vn-pointnet", "fa-pointnet", "fa-local-pointnet", "dgcnn",
                            "vn-dgcnn", "fa-dgcnn"})
      std::ofstream(folder_.path() / (std::string(row) + ".toml"))
          << "[data]\nname = \"cad\"\n[model]\nname = \"" << row << "\"\n[train]\nepochs = 250\n";
    options_.configs = folder_.path();
    options_.out = folder_.path() / "out";
    options_.jobs = 2;
  }

  equiframe::data_test::TemporaryFolder folder_;
  ReproduceOptions options_;
};

std::string setting(const PlannedRun& run, const std::string& key) {
  const auto& settings = run.resolved.data.settings;
  return settings.contains(key) ? settings.at(key) : "";
}

TEST_F(PlanNormals, TrainsEveryRowUprightAndTurned) {
  const auto runs = plan_normals(options_);
  ASSERT_EQ(runs.size(), 14U);
  EXPECT_EQ(runs[0].name(), "pointnet-I-1");
  EXPECT_EQ(runs[1].name(), "pointnet-SO3-1");
  EXPECT_EQ(runs[13].name(), "fa-dgcnn-SO3-1");
  for (const PlannedRun& run : runs)
    EXPECT_EQ(setting(run, "setting"), run.variant == "I" ? "I/I" : "SO3/SO3") << run.name();
}

TEST_F(PlanNormals, TimedBudgetsFitAllRuns) {
  for (const auto& [budget, seconds] :
       {std::pair{Budget::kQuick, 100.0}, std::pair{Budget::kHour, 2640.0}}) {
    options_.budget = budget;
    for (const int64_t jobs : {1, 2, 4}) {
      options_.jobs = jobs;
      std::vector<double> limits;
      for (const PlannedRun& run : plan_normals(options_)) limits.push_back(run.seconds);
      EXPECT_LE(makespan(limits, jobs), seconds);
      EXPECT_GT(makespan(limits, jobs), 0.8 * seconds);
    }
  }
}

TEST_F(PlanNormals, OnlyQuickHasSmallClouds) {
  EXPECT_EQ(setting(plan_normals(options_)[0], "points"), "128");
  options_.budget = Budget::kHour;
  EXPECT_EQ(setting(plan_normals(options_)[0], "points"), "");
  EXPECT_EQ(setting(plan_normals(options_)[0], "train"), "400");
  EXPECT_EQ(plan_normals(options_)[0].resolved.train.batch, 8);
}

TEST_F(PlanNormals, PaperTrainsToTheEndOnAsManyShapesAsThePaper) {
  options_.budget = Budget::kPaper;
  const PlannedRun run = plan_normals(options_)[0];
  EXPECT_EQ(run.resolved.train.max_seconds, 0);
  EXPECT_EQ(run.resolved.train.epochs, 250);
  EXPECT_EQ(setting(run, "train"), "8000");
  options_.data = "shapes";
  EXPECT_EQ(setting(plan_normals(options_)[0], "train"), "") << "what is in the folder";
}

TEST_F(PlanNormals, AnotherDataSetBringsItsOwnCounts) {
  options_.data_set = "abc";
  const PlannedRun run = plan_normals(options_)[0];
  EXPECT_EQ(run.resolved.data.name, "abc");
  EXPECT_EQ(setting(run, "train"), "");
  EXPECT_EQ(setting(run, "points"), "128");
}

TEST_F(PlanNormals, TheUserHasTheLastWord) {
  options_.settings = {"data.points=99", "train.max_seconds=3", "train.seed=7"};
  options_.seeds = 2;
  const auto runs = plan_normals(options_);
  EXPECT_EQ(runs.size(), 28U);
  EXPECT_EQ(runs[1].name(), "pointnet-I-8");
  EXPECT_EQ(setting(runs[0], "points"), "99");
  EXPECT_EQ(runs[0].seconds, 3);
}

}  // namespace
