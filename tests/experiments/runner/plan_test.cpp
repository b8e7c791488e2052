/// Which runs a table needs, and whether they are there.
#include <fstream>

#include <gtest/gtest.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/nbody.h"
#include "experiments/runner/reproduce.h"
#include "experiments/runner/run_outcome.h"
#include "tests/io/temporary_folder.h"
#include "training/engine/load_data.h"

namespace {

namespace fs = std::filesystem;
using namespace equiframe::experiments;
using equiframe::RunRequest;
using equiframe::UserError;

class Plan : public ::testing::Test {
 protected:
  Plan() {
    for (const char* row :
         {"linear", "se3-transformer", "tfn", "gnn", "rf", "egnn", "fa-gnn", "other"})
      write(row, "linear");
    options_.configs = folder_.path();
    options_.out = folder_.path() / "out";
    options_.jobs = 2;
  }

  void write(const std::string& row, const std::string& model, const std::string& more = "") {
    std::ofstream(folder_.path() / (row + ".toml"))
        << "[data]\nname = \"nbody\"\n[model]\nname = \"" << model
        << "\"\n[train]\nepochs = 10000\n"
        << more << "[paper]\ntable = \"Table 3\"\nrow = \"" << row << "\"\nvalue = 0.5\n";
  }

  equiframe::data_test::TemporaryFolder folder_;
  ReproduceOptions options_;
};

std::vector<double> time_limits(const std::vector<PlannedRun>& runs) {
  std::vector<double> result;
  for (const PlannedRun& run : runs) result.push_back(run.resolved.train.max_seconds);
  return result;
}

TEST_F(Plan, HasTheRowsOfTheTableInItsOrder) {
  std::vector<std::string> names;
  for (const PlannedRun& run : plan_nbody(options_)) names.push_back(run.name());
  EXPECT_EQ(names, (std::vector<std::string>{"linear-1", "se3-transformer-1", "tfn-1", "gnn-1",
                                             "rf-1", "egnn-1", "fa-gnn-1"}));
  write("fa-verlet", "linear");
  EXPECT_EQ(plan_nbody(options_).size(), 7U) << "too slow for the quick budget";
  options_.budget = Budget::kHour;
  EXPECT_EQ(plan_nbody(options_).back().row, "fa-verlet");
}

TEST_F(Plan, TimedBudgetsFitWhateverTheNumberOfPlaces) {
  write("fa-verlet", "linear");
  for (const auto& [budget, seconds] :
       {std::pair{Budget::kQuick, 200.0}, std::pair{Budget::kHour, 3240.0}}) {
    options_.budget = budget;
    for (const int64_t jobs : {1, 2, 4, 8}) {
      options_.jobs = jobs;
      const double total = makespan(time_limits(plan_nbody(options_)), jobs);
      EXPECT_LE(total, seconds);
      EXPECT_GT(total, 0.9 * seconds);
    }
  }
}

TEST_F(Plan, ARowHasTheSameShareWhoeverElseIsAskedFor) {
  const double of_all = plan_nbody(options_)[3].resolved.train.max_seconds;
  options_.rows = {"gnn"};
  EXPECT_EQ(plan_nbody(options_)[0].resolved.train.max_seconds, of_all);
}

TEST_F(Plan, PaperTrainsToTheEndWithSeveralSeeds) {
  options_.budget = Budget::kPaper;
  options_.rows = {"gnn", "fa-gnn"};
  const auto runs = plan_nbody(options_);
  ASSERT_EQ(runs.size(), 6U);
  EXPECT_EQ(runs[4].name(), "gnn-5");
  EXPECT_EQ(runs[4].resolved.train.seed, 5U);
  for (const PlannedRun& run : runs) {
    EXPECT_EQ(run.resolved.train.max_seconds, 0);
    EXPECT_EQ(run.resolved.train.epochs, 10000);
    EXPECT_EQ(run.resolved.train.patience, 2500);
  }
}

TEST_F(Plan, UserSettingsWinOverTheBudget) {
  options_.rows = {"gnn"};
  options_.seeds = 2;
  options_.settings = {"train.max_seconds=3", "train.seed=7"};
  const auto runs = plan_nbody(options_);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].name(), "gnn-8");
  EXPECT_EQ(runs[1].resolved.train.max_seconds, 3);
}

TEST_F(Plan, UnknownRowsAndFoldersAreRefused) {
  options_.rows = {"fa-gn"};
  EXPECT_THROW(plan_nbody(options_), UserError);
  options_.configs = folder_.path() / "nothing";
  EXPECT_THROW(plan_nbody(options_), UserError);
}

TEST_F(Plan, AScheduleThatEndsIsFittedToTheTime) {
  write("gnn", "linear", "schedule = \"warmup-cosine\"\nwarmup_epochs = 100\n");
  options_.rows = {"gnn"};
  options_.settings = {"train.max_seconds=100"};
  PlannedRun run = plan_nbody(options_).front();
  ASSERT_TRUE(has_ending_schedule(run.resolved.train));
  fit_schedule(run, {1.0, 0.5});
  EXPECT_LE(run.resolved.train.epochs, 100);
  EXPECT_GE(run.resolved.train.epochs, 50);
  EXPECT_NEAR(run.resolved.train.warmup_epochs / static_cast<double>(run.resolved.train.epochs),
              0.01, 1e-6);
  fit_schedule(run, {1e-9, 0});
  EXPECT_LE(run.resolved.train.epochs, 100) << "never longer than the config";
}

TEST_F(Plan, AnExpensiveEvaluationIsMadeOnceAtTheEnd) {
  options_.rows = {"gnn"};
  options_.settings = {"train.max_seconds=100", "train.evaluate_every=2"};
  PlannedRun run = plan_nbody(options_).front();
  fit_schedule(run, {2.0, 60.0});
  EXPECT_LE(run.resolved.train.epochs, 20);
  EXPECT_GE(run.resolved.train.epochs, 5);
  EXPECT_EQ(run.resolved.train.evaluate_every, run.resolved.train.epochs);
}

TEST(Makespan, IsThatOfTheLongestFirst) {
  EXPECT_EQ(makespan({1, 2, 3}, 1), 6);
  EXPECT_EQ(makespan({1, 2, 3}, 2), 3);
  EXPECT_EQ(makespan({5, 1, 1}, 3), 5);
  EXPECT_EQ(makespan({}, 2), 0);
}

/// A small data set in a folder and runs of a one-parameter model on it.
class Standings : public Plan {
 protected:
  Standings() {
    equiframe::NBodyOptions small;
    small.train = 40;
    small.valid = small.test = 10;
    fs::create_directories(data());
    write_nbody(data(), generate_nbody(small));
    options_.rows = {"linear"};
    options_.settings = {"data.train=40",  "data.valid=10",        "data.test=10",
                         "train.batch=20", "train.epochs=1000000", "train.max_seconds=0.05"};
  }

  fs::path data() const { return folder_.path() / "data"; }
  PlannedRun planned() const { return plan_nbody(options_).front(); }
  void train(const PlannedRun& run) const {
    RunRequest request;
    request.config = run.resolved;
    request.folder = run.folder;
    request.data = data();
    request.on_existing = equiframe::OnExisting::kResume;
    equiframe::run(request);
  }
  PlannedRun with(const std::string& setting) const {
    PlannedRun run = planned();
    run.set({setting});
    return run;
  }
};

TEST_F(Standings, FollowTheFolder) {
  EXPECT_EQ(run_state(planned()), RunState::kAbsent);
  train(planned());
  EXPECT_EQ(run_state(planned()), RunState::kFinished);
  EXPECT_EQ(run_state(with("train.max_seconds=0.01")), RunState::kFinished);
  EXPECT_EQ(run_state(with("train.max_seconds=100")), RunState::kUnfinished) << "more is asked";
  EXPECT_EQ(run_state(with("train.max_seconds=0")), RunState::kUnfinished);
  EXPECT_EQ(run_state(with("train.lr=0.5")), RunState::kOther);
  fs::remove(planned().folder / "result.json");
  EXPECT_EQ(run_state(planned()), RunState::kUnfinished);
  const fs::path aside = set_aside(planned());
  EXPECT_EQ(run_state(planned()), RunState::kAbsent);
  EXPECT_TRUE(fs::exists(aside / "config.toml"));
}

TEST_F(Standings, OutcomeIsWhatTheRunLeft) {
  train(planned());
  const RunOutcome outcome = read_outcome(planned().folder).value();
  EXPECT_EQ(outcome.parameters, 1);
  EXPECT_EQ(outcome.stopped_by, "time");
  EXPECT_GE(outcome.seconds, 0.05);
  EXPECT_EQ(outcome.history.back().epoch, outcome.epochs);
  EXPECT_GT(outcome.test.error, 0);
  EXPECT_EQ(outcome.group, "E(3)");
  EXPECT_LT(euclidean_error(planned().folder / "model.safetensors"), 1e-12);
  EXPECT_FALSE(read_outcome(folder_.path()).has_value());
}

TEST_F(Standings, AScheduleThatWasBegunIsKept) {
  options_.settings.push_back("train.schedule=cosine");
  PlannedRun first = planned();
  fit_schedule(first, {0.01, 0.001});  // 4 epochs
  train(first);
  PlannedRun later = planned();
  ASSERT_TRUE(adopt_schedule(later));
  EXPECT_EQ(later.resolved.train.epochs, first.resolved.train.epochs);
  EXPECT_EQ(run_state(later), RunState::kFinished);
  PlannedRun other = with("train.lr=0.5");
  EXPECT_FALSE(adopt_schedule(other));
}

TEST_F(Standings, AnEpochIsMeasured) {
  const PlannedRun run = planned();
  const EpochTime time =
      measure_epoch(run.resolved, equiframe::load_data(run.resolved.data, data(), nullptr));
  for (const double seconds : {time.training, time.evaluation}) {
    EXPECT_GT(seconds, 0);
    EXPECT_LT(seconds, 5);
  }
}

}  // namespace
