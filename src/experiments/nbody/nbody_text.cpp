/// The report as JSON and as Markdown.
#include <nlohmann/json.hpp>

#include "experiments/runner/json_number.h"
#include "experiments/runner/report_table.h"

namespace equiframe::inline experiments {
namespace {

using nlohmann::ordered_json;

ordered_json curve(const History& history) {
  ordered_json points = ordered_json::array();
  for (const Evaluation& e : history)
    points.push_back({{"epoch", e.epoch},
                      {"train_loss", e.train_loss},
                      {"valid_mse", e.valid.error},
                      {"test_mse", e.test.error}});
  return points;
}

ordered_json run_json(const ReportRow& row, const ReportedRun& run) {
  const RunOutcome& o = run.outcome;
  return {{"folder", o.folder.filename().string()},
          {"seed", o.config.train.seed},
          {"test_mse", o.test.error},
          {"valid_mse", o.valid.error},
          {"train_mse", o.train.error},
          {"best_epoch", o.best_epoch},
          {"epochs", o.epochs},
          {"seconds", o.seconds},
          {"stopped_by", o.stopped_by},
          {"budget", budget_words(row.protocol, o)},
          {"equivariance",
           {{"group", o.group},
            {"float32", o.group_error32},
            {"float64", o.group_error64},
            {"E(3)_float64", run.euclidean_error}}},
          {"config_sha256", o.config_hash},
          {"data_checksum", o.data_checksum},
          {"commit", o.provenance.commit},
          {"curve", curve(o.history)}};
}

ordered_json row_json(const ReportRow& row) {
  const PaperValue& paper = row.protocol.paper;
  ordered_json runs = ordered_json::array();
  for (const ReportedRun& run : row.runs) runs.push_back(run_json(row, run));
  ordered_json result{{"row", row.name},
                      {"title", row.title()},
                      {"model", row.protocol.model.name},
                      {"in_paper", row.in_paper()},
                      {"paper", nullptr},
                      {"parameters", nullptr},
                      {"test_mse", number_or_null(row.mean_test_mse())},
                      {"test_mse_std", number_or_null(row.deviation())},
                      {"planned_runs", row.planned},
                      {"failure", row.failure},
                      {"runs", runs}};
  if (row.in_paper())
    result["paper"] = {{"table", paper.table}, {"row", paper.row}, {"value", paper.value}};
  if (!row.runs.empty()) result["parameters"] = row.runs.front().outcome.parameters;
  return result;
}

ordered_json figures_json(const NBodyFigures& figures) {
  ordered_json spacing = ordered_json::array(), stability = ordered_json::array();
  for (const auto& [frame, summary, bars] : figures.spacing)
    spacing.push_back(
        {{"frame", frame},
         {"smallest", summary.smallest},
         {"percentile_1", summary.percentile_1},
         {"median", summary.median},
         {"below_0.01", summary.below_hundredth},
         {"histogram", {{"low", bars.low}, {"high", bars.high}, {"counts", bars.counts}}}});
  for (const StabilityPoint& point : figures.stability)
    stability.push_back({{"sigma", point.sigma}, {"mean", point.mean}, {"std", point.deviation}});
  return {{"samples", figures.samples}, {"figure_3", spacing}, {"figure_4", stability}};
}

}  // namespace

std::string to_json(const NBodyReport& report) {
  ordered_json rows = ordered_json::array(), provenance;
  for (const ReportRow& row : report.rows) rows.push_back(row_json(row));
  for (const auto& [name, value] : report.provenance()) provenance[name] = value;
  const ordered_json document{{"experiment", "nbody"},
                              {"budget", to_string(report.budget)},
                              {"summary", summary(report)},
                              {"rows", rows},
                              {"figures", figures_json(report.figures)},
                              {"provenance", provenance}};
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string markdown_table(const NBodyReport& report) {
  return result_table(report).markdown();
}

std::string to_markdown(const NBodyReport& report) {
  std::string result = "# n-body, Table 3: paper and ours\n\n" + summary(report) + "\n\n" +
                       markdown_table(report) + "\n";
  for (const std::string& remark : remarks(report)) result += remark + "\n\n";
  result += "## Figure 3: minimal spacing of eigenvalues\n\ns_min of " +
            whole_number(report.figures.samples) +
            " training inputs, by frame of the trajectory.\n\n" +
            spacing_table(report.figures).markdown();
  result +=
      "\n## Figure 4: stability of the frame\n\nDistance E of the principal axes of an input and "
      "of "
      "the input with noise of standard deviation σ.\n\n" +
      stability_table(report.figures).markdown();
  result += "\n## Where this comes from\n\n";
  for (const auto& [name, value] : report.provenance())
    result += "- " + name + ": " + (name == "command" ? "`" + value + "`" : value) + "\n";
  return result;
}

}  // namespace equiframe::inline experiments
