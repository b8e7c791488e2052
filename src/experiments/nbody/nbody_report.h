#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/nbody/nbody_figures.h"
#include "experiments/runner/reproduce.h"
#include "experiments/runner/run_outcome.h"

namespace equiframe::inline experiments {

/// A run of the plan and what came of it.
struct ReportedRun {
  RunOutcome outcome;
  double euclidean_error = 0;  ///< see experiments::euclidean_error
};

struct ReportRow {
  std::string name;    ///< of its config
  RunConfig protocol;  ///< the config as it is in the file, with the paper's value
  int64_t planned = 0;
  std::vector<ReportedRun> runs;  ///< the finished ones
  std::string failure;  ///< why one could not be finished, in a line; empty if none failed

  bool in_paper() const { return !protocol.paper.table.empty(); }
  /// "EGNN", or the name of the config for a row of our own.
  std::string title() const;
  double mean_test_mse() const;  ///< NaN without a finished run
  double deviation() const;      ///< sample standard deviation over the seeds; NaN below two
};

/// Table 3 and figures 3 and 4, the paper's numbers beside ours.
struct NBodyReport {
  Budget budget = Budget::kQuick;
  int64_t jobs = 1;
  std::string command;
  std::vector<ReportRow> rows;
  NBodyFigures figures;
  /// Where the numbers come from: program, machine, data, command.
  std::vector<std::pair<std::string, std::string>> provenance() const;
};

/// How much of its protocol a run was given, in plain words: "reduced: 55 s", "full: 10,000
/// epochs", "our recipe, full: 250 epochs" where the protocol is not the paper's.
std::string budget_words(const RunConfig& protocol, const RunOutcome& run);

/// What the report says in a few sentences.
std::string summary(const NBodyReport& report);

/// The same numbers in three forms. The Markdown begins with the table and its remarks.
std::string to_json(const NBodyReport& report);
std::string markdown_table(const NBodyReport& report);
std::string to_markdown(const NBodyReport& report);
std::string to_html(const NBodyReport& report);

/// report.json, report.md and report.html in an existing folder.
void write_report(const NBodyReport& report, const std::filesystem::path& folder);

}  // namespace equiframe::inline experiments
