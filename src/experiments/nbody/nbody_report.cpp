#include "experiments/nbody/nbody_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "experiments/runner/report_table.h"
#include "io/bytes/atomic_file.h"
#include "runtime/machine.h"

namespace equiframe::inline experiments {
namespace {

std::vector<double> test_errors(const ReportRow& row) {
  std::vector<double> errors;
  for (const ReportedRun& run : row.runs) errors.push_back(run.outcome.test.error);
  return errors;
}

/// Whether the run differs from the protocol in more than its length, its seed and how often it is
/// evaluated.
bool other_settings(const RunConfig& protocol, RunConfig run) {
  const TrainOptions& whole = protocol.train;
  run.train.epochs = whole.epochs;
  run.train.warmup_epochs = whole.warmup_epochs;
  run.train.evaluate_every = whole.evaluate_every;
  run.train.patience = whole.patience;
  run.train.seed = whole.seed;
  return config_hash(run) != config_hash(protocol);
}

template <class Field>
std::string distinct(const NBodyReport& report, Field&& field) {
  std::vector<std::string> values;
  for (const ReportRow& row : report.rows) {
    for (const ReportedRun& run : row.runs) {
      const std::string value = field(run.outcome);
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
  }
  return text::join(values, "; ");
}

bool starts_with_full(const ReportRow& row) {
  return !row.runs.empty() && std::all_of(row.runs.begin(), row.runs.end(), [&](const auto& run) {
    return budget_words(row.protocol, run.outcome).starts_with("full");
  });
}

const ReportRow* best_of(const NBodyReport& report) {
  const ReportRow* best = nullptr;
  for (const ReportRow& row : report.rows) {
    if (row.runs.empty()) continue;
    if (best == nullptr || row.mean_test_mse() < best->mean_test_mse()) best = &row;
  }
  return best;
}

}  // namespace

std::string ReportRow::title() const {
  return in_paper() && !protocol.paper.row.empty() ? protocol.paper.row : name;
}

double ReportRow::mean_test_mse() const {
  double sum = 0;
  for (const double error : test_errors(*this)) sum += error;
  return runs.empty() ? std::numeric_limits<double>::quiet_NaN()
                      : sum / static_cast<double>(runs.size());
}

double ReportRow::deviation() const {
  if (runs.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double error : test_errors(*this)) sum += std::pow(error - mean_test_mse(), 2);
  return std::sqrt(sum / static_cast<double>(runs.size() - 1));
}

std::string budget_words(const RunConfig& protocol, const RunOutcome& run) {
  const std::string changed = other_settings(protocol, run.config) ? "other settings, "
                              : protocol.paper.own.empty()         ? ""
                                                                   : "our recipe, ";
  if (run.stopped_by == to_string(StopReason::kTime))
    return changed + "reduced: " + duration_text(run.config.train.max_seconds);
  if (run.stopped_by == to_string(StopReason::kPatience))
    return changed + "full, ended: nothing better for " + whole_number(run.config.train.patience) +
           " epochs";
  if (run.config.train.epochs < protocol.train.epochs)
    return changed + "reduced: " + whole_number(run.epochs) + " epochs";
  return changed + "full: " + whole_number(run.epochs) + " epochs";
}

std::string summary(const NBodyReport& report) {
  int64_t finished = 0, full = 0, in_paper = 0;
  for (const ReportRow& row : report.rows) {
    if (!row.in_paper()) continue;
    ++in_paper;
    if (!row.runs.empty()) ++finished;
    if (starts_with_full(row)) ++full;
  }
  std::string result =
      "Given five charged particles, say where they will be: " + std::to_string(finished) + " of " +
      std::to_string(in_paper) + " rows of the paper's Table 3, trained here";
  if (finished > 0 && full == 0)
    result += ", all with a reduced budget";
  else if (finished > 0)
    result += ", " + (full == finished ? "all" : std::to_string(full)) +
              std::string(" of them by the full protocol");
  result += ".";
  const ReportRow* best = best_of(report);
  if (best == nullptr) return result;
  result +=
      " The lowest test error is that of " + best->title() + ", " + mse_text(best->mean_test_mse());
  if (best->in_paper())
    result += " (paper: " + mse_text(best->protocol.paper.value) + ")";
  else
    result += ", a recipe of our own that is not in the paper";
  return result + ".";
}

std::vector<std::string> remarks(const NBodyReport& report) {
  std::vector<std::string> result{
      "Paper and ours are test errors: the mean squared error of a coordinate of a predicted "
      "position, taken at the epoch with the lowest validation error. Time is that of training, "
      "evaluations included, all seeds together."};
  const bool reduced = std::any_of(report.rows.begin(), report.rows.end(), [](const auto& row) {
    return !row.runs.empty() && !starts_with_full(row);
  });
  if (reduced)
    result.emplace_back(
        "Rows marked 'reduced' were cut short and are no reproduction of the paper's number: its "
        "rows had 10,000 epochs. What they show is how far each network comes in the time given.");
  result.emplace_back(
      "The symmetry is the largest group a network is built to respect, with the largest relative "
      "deviation measured after training, in float64; a network that claims none is measured under "
      "E(3) all the same.");
  for (const ReportRow& row : report.rows) {
    if (!row.in_paper())
      result.push_back(row.title() +
                       " is not a row of the paper: a recipe of this project, on the same data.");
    if (!row.failure.empty()) result.push_back(row.title() + " failed: " + row.failure);
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> NBodyReport::provenance() const {
  const auto of_runs = [this](auto&& field) { return distinct(*this, field); };
  const std::string commit = of_runs([](const RunOutcome& r) { return r.provenance.commit; });
  double seconds = 0;
  for (const ReportRow& row : rows) {
    for (const ReportedRun& run : row.runs) seconds += run.outcome.seconds;
  }
  const runtime::Machine machine = runtime::machine();
  return {
      {"command", command},
      {"budget", to_string(budget)},
      {"program", of_runs([](const RunOutcome& r) {
         return "equiframe " + r.provenance.equiframe + ", LibTorch " + r.provenance.libtorch;
       })},
      {"commit", commit.empty() ? "unknown" : commit},
      {"machine",
       of_runs([](const RunOutcome& r) { return r.provenance.cpu + ", " + r.provenance.simd; })},
      {"threads",
       std::to_string(jobs) + " runs at a time on " + std::to_string(machine.usable_cores) +
           " cores, threads of a run: " +
           of_runs([](const RunOutcome& r) { return std::to_string(r.provenance.threads); })},
      {"training", duration_text(seconds) + " of all runs together"},
      {"data", of_runs([](const RunOutcome& r) { return r.data_description; })},
      {"data checksum", of_runs([](const RunOutcome& r) { return "SHA-256 " + r.data_checksum; })},
  };
}

void write_report(const NBodyReport& report, const std::filesystem::path& folder) {
  write_file_atomically(folder / "report.json", to_json(report));
  write_file_atomically(folder / "report.md", to_markdown(report));
  write_file_atomically(folder / "report.html", to_html(report));
}

}  // namespace equiframe::inline experiments
