/// What the report of Table 3 says.
#include <gtest/gtest.h>

#include "experiments/nbody/nbody_report.h"
#include "tests/support/contains.h"

namespace {

using equiframe::test_support::contains;
using namespace equiframe::experiments;
using equiframe::RunConfig;

RunConfig protocol(const std::string& row, double value) {
  RunConfig config;
  config.model.name = row;
  config.train.epochs = 10000;
  if (value > 0) config.paper = {"Table 3", row, value};
  return config;
}

ReportedRun run_of(const RunConfig& config, double test_mse) {
  ReportedRun run;
  RunOutcome& outcome = run.outcome;
  outcome.config = config;
  outcome.parameters = 104387;
  outcome.test.error = test_mse;
  outcome.epochs = config.train.epochs;
  outcome.seconds = 42;
  outcome.stopped_by = "epochs";
  outcome.history = {{5, 150, 1e-3, 0.2, {0.3}, {0.3}},
                     {10, 300, 1e-3, 0.1, {test_mse}, {test_mse}}};
  return run;
}

ReportRow row_of(const std::string& name, double paper, const std::vector<double>& errors) {
  ReportRow row;
  row.name = name;
  row.protocol = protocol(name, paper);
  row.planned = static_cast<int64_t>(errors.size());
  for (const double error : errors) row.runs.push_back(run_of(row.protocol, error));
  return row;
}

TEST(BudgetWords, CallAReducedRunReduced) {
  const RunConfig whole = protocol("gnn", 0.0107);
  RunOutcome run = run_of(whole, 0.01).outcome;
  EXPECT_EQ(budget_words(whole, run), "full: 10,000 epochs");
  run.stopped_by = "patience";
  run.config.train.patience = 2500;
  EXPECT_EQ(budget_words(whole, run), "full, ended: nothing better for 2,500 epochs");
  run.stopped_by = "time";
  run.config.train.max_seconds = 55;
  EXPECT_EQ(budget_words(whole, run), "reduced: 55 s");
  run.stopped_by = "epochs";
  run.config.train.epochs = run.epochs = 12;
  EXPECT_EQ(budget_words(whole, run), "reduced: 12 epochs");
  run.config.data.settings["train"] = "60";
  EXPECT_EQ(budget_words(whole, run), "other settings, reduced: 12 epochs");
}

TEST(BudgetWords, ASeedIsNoOtherSetting) {
  const RunConfig whole = protocol("gnn", 0.0107);
  RunOutcome run = run_of(whole, 0.01).outcome;
  run.config.train.seed = 5;
  run.config.train.threads = 1;
  EXPECT_EQ(budget_words(whole, run), "full: 10,000 epochs");
}

TEST(ReportRows, GiveMeanAndDeviationOverSeeds) {
  const ReportRow row = row_of("gnn", 0.0107, {0.01, 0.02, 0.03});
  EXPECT_NEAR(row.mean_test_mse(), 0.02, 1e-15);
  EXPECT_NEAR(row.deviation(), 0.01, 1e-15);
  NBodyReport report;
  report.rows = {row};
  EXPECT_TRUE(contains(markdown_table(report), "0.0200 ± 0.0100 (3 seeds)"));
}

TEST(Reports, SayTheSameInAllForms) {
  NBodyReport report;
  report.rows = {row_of("GNN", 0.0107, {0.0123}), row_of("mine", 0, {0.0044}),
                 row_of("TFN", 0.0155, {})};
  report.rows[2].planned = 1;
  report.rows[2].failure = "the loss is nan at epoch 2";
  report.figures.spacing = {{30, {0.0034, 0.053, 0.576, 2}, {0, 1, {1, 5, 2}}}};
  report.figures.stability = {{0.01, 0.02, 0.03}, {0.1, 0.2, 0.3}};
  for (const std::string& text : {to_markdown(report), to_html(report), to_json(report)}) {
    for (const char* part : {"GNN", "0.0107", "0.0123", "mine", "0.0044", "0.0034", "0.053"})
      EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
    EXPECT_TRUE(contains(text, "the loss is nan at epoch 2"));
  }
  const std::string table = markdown_table(report);
  EXPECT_TRUE(contains(table, "104,387"));
  EXPECT_TRUE(contains(table, "mine (own recipe)"));
  EXPECT_TRUE(contains(table, "failed"));
  EXPECT_TRUE(contains(summary(report), "1 of 2 rows"));
  EXPECT_TRUE(contains(summary(report), "mine, 0.0044, a recipe of our own"));
}

TEST(Reports, WithoutAnyFinishedRunStillStand) {
  NBodyReport report;
  report.rows = {row_of("GNN", 0.0107, {})};
  report.rows[0].planned = 5;
  EXPECT_TRUE(contains(markdown_table(report), "5 not finished"));
  EXPECT_TRUE(contains(to_html(report), "</html>"));
}

}  // namespace
