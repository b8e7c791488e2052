/// The report on normals as JSON and as Markdown.
#include <nlohmann/json.hpp>

#include "experiments/normals/normals_tables.h"
#include "experiments/runner/json_number.h"

namespace equiframe::inline experiments {
namespace {

using nlohmann::ordered_json;

ordered_json run_json(const NormalsRow& row, const RunOutcome& run) {
  const auto setting = run.config.data.settings.find("setting");
  return {{"folder", run.folder.filename().string()},
          {"setting", setting == run.config.data.settings.end() ? "I/I" : setting->second},
          {"seed", run.config.train.seed},
          {"test_normal_error", number_or_null(run.test.error)},
          {"valid_normal_error", number_or_null(run.valid.error)},
          {"train_normal_error", number_or_null(run.train.error)},
          {"best_epoch", run.best_epoch},
          {"epochs", run.epochs},
          {"seconds", run.seconds},
          {"budget", run_words(row, run)},
          {"equivariance",
           {{"group", run.group},
            {"float32", number_or_null(run.group_error32)},
            {"float64", number_or_null(run.group_error64)}}},
          {"config_sha256", run.config_hash},
          {"data", run.data_description},
          {"data_checksum", run.data_checksum},
          {"commit", run.provenance.commit}};
}

ordered_json turning_json(const Turning& turning) {
  return {{"I/I", number_or_null(turning.upright)},
          {"I/SO(3)", number_or_null(turning.turned)},
          {"mean_angle", number_or_null(turning.mean_angle)},
          {"largest_angle", number_or_null(turning.largest_angle)}};
}

ordered_json row_json(const NormalsReport& report, const NormalsRow& row) {
  ordered_json runs = ordered_json::array(), turning = ordered_json::array(), columns;
  for (const RunOutcome* run : row.runs()) runs.push_back(run_json(row, *run));
  for (const Turning& each : row.turning) turning.push_back(turning_json(each));
  for (const CloudSetting setting : kCloudSettings)
    columns[to_string(setting)] = {{"paper", number_or_null(paper_value(report, row, setting))},
                                   {"ours", number_or_null(row.mean_error(setting))},
                                   {"std", number_or_null(row.deviation(setting))}};
  ordered_json result{{"row", row.name},
                      {"title", row.title()},
                      {"model", row.protocol.model.name},
                      {"own_recipe", row.protocol.paper.own},
                      {"parameters", nullptr},
                      {"columns", columns},
                      {"turning", turning},
                      {"largest_gap", number_or_null(row.largest_gap())},
                      {"planned_runs", row.planned},
                      {"failure", row.failure},
                      {"runs", runs}};
  if (!row.runs().empty()) result["parameters"] = row.runs().front()->parameters;
  return result;
}

ordered_json fit_json(const BestFit& fit) {
  return {{"degrees", number_or_null(fit.degrees)}, {"k", fit.k}};
}

ordered_json mean_json(const NormalAccuracy& accuracy, SurfaceKind kind, double noise) {
  const MeanAccuracy mean = mean_accuracy(accuracy, kind, noise);
  return {{"surfaces", to_string(kind)},
          {"noise", noise},
          {"pca_best_k", number_or_null(mean.pca)},
          {"pca_chosen_k", number_or_null(mean.chosen)},
          {"jet_best_k", number_or_null(mean.jet)},
          {"ours", number_or_null(mean.network)},
          {"ours_over_pca", number_or_null(mean.ratio())}};
}

ordered_json accuracy_json(const NormalAccuracy& accuracy) {
  ordered_json cells = ordered_json::array(), means = ordered_json::array();
  for (const AccuracyCell& cell : accuracy.cells)
    cells.push_back({{"surface", accuracy.surfaces.at(cell.surface).name},
                     {"kind", to_string(accuracy.surfaces.at(cell.surface).kind)},
                     {"noise", cell.noise},
                     {"pca_best_k", fit_json(cell.pca)},
                     {"pca_chosen_k", fit_json(cell.chosen)},
                     {"jet_best_k", fit_json(cell.jet)},
                     {"ours", number_or_null(cell.network)}});
  for (const SurfaceKind kind : {SurfaceKind::kHeldOut, SurfaceKind::kNamed, SurfaceKind::kMesh})
    if (accuracy.has(kind))
      for (const double noise : accuracy.noise) means.push_back(mean_json(accuracy, kind, noise));
  return {{"unit", "RMS degrees"}, {"cells", cells}, {"means", means}};
}

void add_paragraphs(std::string& text, const std::vector<std::string>& paragraphs) {
  for (const std::string& paragraph : paragraphs) text += paragraph + "\n\n";
}

}  // namespace

std::string to_json(const NormalsReport& report) {
  ordered_json rows = ordered_json::array(), provenance = ordered_json::object();
  for (const NormalsRow& row : report.rows) rows.push_back(row_json(report, row));
  for (const auto& [name, value] : report.provenance) provenance[name] = value;
  const ordered_json document{{"experiment", "normals"},
                              {"budget", to_string(report.budget)},
                              {"summary", summary(report)},
                              {"rows", rows},
                              {"accuracy", accuracy_json(report.accuracy)},
                              {"network", report.network},
                              {"failures", report.failures},
                              {"provenance", provenance}};
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string markdown_table(const NormalsReport& report) {
  std::string text = table1_table(report).markdown();
  if (!report.accuracy.cells.empty()) text += "\n" + accuracy_means(report).markdown();
  return text;
}

std::string to_markdown(const NormalsReport& report) {
  std::string text = "# " + title(report) + "\n\n" + summary(report) + "\n\n";
  if (!report.rows.empty()) {
    text += table1_table(report).markdown() + "\n";
    add_paragraphs(text, table1_remarks(report));
  }
  const TextTable turning = turning_table(report);
  if (!turning.rows.empty())
    text += "## The same weights on upright and turned clouds\n\n" + turning.markdown() + "\n";
  if (!report.accuracy.cells.empty()) {
    text +=
        "## Accuracy beside the classical methods\n\n" + accuracy_means(report).markdown() + "\n";
    add_paragraphs(text, accuracy_remarks(report));
    text += "### Every surface\n\n" + accuracy_cells(report).markdown() + "\n";
  }
  text += "## Where this comes from\n\n";
  for (const auto& [name, value] : report.provenance) {
    const std::string shown = name == "command" ? "`" + value + "`" : value;
    text += "- " + name + ": " + shown + "\n";
  }
  return text;
}

}  // namespace equiframe::inline experiments
