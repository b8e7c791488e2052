#include "experiments/separation/separation_classify.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/plain_text.h"
#include "experiments/nbody/nbody_report.h"
#include "report/chart.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using nlohmann::ordered_json;
using report::Align;

std::string percent(double share) {
  return std::isnan(share) ? "—" : text::printed("%.1f", 100 * share);
}

/// What a row promises about relabelled graphs, and how well it holds.
std::string symmetry_cell(const RunOutcome& run) {
  return run.group == "none" ? "—" : report::number(run.group_error32);
}

}  // namespace

bool has_classified(const SeparationReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(),
                     [](const SeparationRow& row) { return row.classified.has_value(); });
}

TextTable classify_table(const SeparationReport& report) {
  TextTable result;
  result.columns = {{"row"},
                    {"paper, %", Align::kRight},
                    {"test, %", Align::kRight},
                    {"best epoch", Align::kRight},
                    {"budget"},
                    {"parameters", Align::kRight},
                    {"relabelled", Align::kRight}};
  for (const SeparationRow& row : report.rows) {
    if (!row.classified) continue;
    const RunOutcome& run = row.classified->outcome;
    result.rows.push_back({row.title, percent(row.paper_accuracy), percent(run.test.accuracy),
                           whole_number(run.best_epoch),
                           budget_words(row.classified->protocol, run),
                           whole_number(run.parameters), symmetry_cell(run)});
  }
  return result;
}

ordered_json classify_json(const SeparationRow& row) {
  ordered_json result{{"paper", nullptr}, {"ours", nullptr}};
  if (!std::isnan(row.paper_accuracy)) result["paper"] = row.paper_accuracy;
  if (!row.classified) return result;
  const RunOutcome& run = row.classified->outcome;
  ordered_json curve = ordered_json::array();
  for (const Evaluation& e : run.history)
    curve.push_back({{"epoch", e.epoch},
                     {"train_loss", e.train_loss},
                     {"valid_accuracy", e.valid.accuracy},
                     {"test_accuracy", e.test.accuracy}});
  result["ours"] = {{"test_accuracy", run.test.accuracy},
                    {"valid_accuracy", run.valid.accuracy},
                    {"train_accuracy", run.train.accuracy},
                    {"best_epoch", run.best_epoch},
                    {"epochs", run.epochs},
                    {"seconds", run.seconds},
                    {"budget", budget_words(row.classified->protocol, run)},
                    {"parameters", run.parameters},
                    {"seed", run.config.train.seed},
                    {"symmetry", run.group},
                    {"relabelling_error_float32", run.group_error32},
                    {"relabelling_error_float64", run.group_error64},
                    {"data", run.data_description},
                    {"data_checksum", run.data_checksum},
                    {"config_sha256", run.config_hash},
                    {"commit", run.provenance.commit},
                    {"curve", curve}};
  return result;
}

report::Svg classify_chart(const SeparationReport& report) {
  using report::Colour;
  using report::Mark;
  const auto look = [](const SeparationRow& row) -> report::Look {
    const bool gin = row.name.starts_with("gin");
    const Colour colour = row.name.ends_with("-ga")          ? Colour::kMuted
                          : row.name.ends_with("-fa")        ? Colour::kWarm
                          : row.name.ends_with("-canonical") ? Colour::kCool
                                                             : Colour::kFresh;
    return {row.title, colour, gin ? Mark::kDiamond : Mark::kDot};
  };
  report::LineChart chart;
  chart.description = "Test accuracy of networks averaged over frames while they are trained";
  chart.x = {"epochs", report::Scale::kLinear};
  chart.y = {"test accuracy, %", report::Scale::kLinear};
  for (const SeparationRow& row : report.rows) {
    const bool averaged = row.name.find('-') != std::string::npos;
    if (!averaged || !row.classified) continue;
    std::vector<report::Point> points;
    for (const Evaluation& e : row.classified->outcome.history)
      points.push_back({static_cast<double>(e.epoch), 100 * e.test.accuracy});
    chart.series.push_back({look(row), points});
  }
  return draw(chart);
}

std::vector<std::string> classify_remarks(const SeparationReport& report) {
  std::string data;
  for (const SeparationRow& row : report.rows)
    if (row.classified) data = row.classified->outcome.data_description;
  return {
      "EXP-classify: is the formula behind a graph satisfiable? The two graphs of a pair look the "
      "same to 1-WL, so networks of that power stay at 50 %. Reported is the test accuracy at the "
      "epoch with the smallest validation loss, as in the paper. Data: " +
          data + ".",
      "GA and FA draw one order of the nodes (or four) anew at each step of training, and by the "
      "graph itself when they are evaluated, so they promise no invariance for a single "
      "evaluation. The last column is the error on relabelled graphs of the rows that promise it; "
      "the canonical ones do."};
}

}  // namespace equiframe::inline experiments
