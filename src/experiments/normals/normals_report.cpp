#include "experiments/normals/normals_report.h"

#include <cstdio>

#include "core/text.h"
#include "experiments/normals/normals_tables.h"

namespace equiframe::inline experiments {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? NAN : sum / static_cast<double>(values.size());
}

/// Meshes of ABC, of another number than the paper's set: "..., 7200/800/2000 meshes, ..." is what
/// data set `abc` says of itself.
bool is_other_collection(const RunOutcome& run) {
  if (run.config.data.name != "abc") return false;
  const std::string& words = run.data_description;
  const size_t end = words.find(" meshes"), start = words.rfind(' ', end - 1);
  long long train = 0, valid = 0, test = 0;
  const bool known =
      end != std::string::npos && start != std::string::npos &&
      std::sscanf(words.c_str() + start, "%lld/%lld/%lld", &train, &valid, &test) == 3;
  return !known || train + valid != 8000 || test != 2000;
}

/// "Seven rows ... trained here"
std::string trained_sentence(const NormalsReport& report) {
  int64_t finished = 0, reduced = 0, own = 0;
  for (const NormalsRow& row : report.rows) {
    if (row.upright.empty() || row.turned.empty()) continue;
    ++finished;
    if (is_reduced(row)) ++reduced;
    if (!row.protocol.paper.own.empty()) ++own;
  }
  std::string text = "Normals of point clouds: " + std::to_string(finished) + " of " +
                     std::to_string(report.rows.size()) +
                     " rows of the paper's Table 1, trained here on upright and on turned clouds";
  if (finished > 0 && reduced == finished)
    text += ", all with a reduced budget";
  else if (own > 0)
    text += ", " + std::to_string(own) + " of them by a recipe of our own";
  return text + ".";
}

}  // namespace

std::string to_string(CloudSetting setting) {
  constexpr std::array kNames{"I/I", "I/SO(3)", "SO(3)/SO(3)"};
  return kNames.at(static_cast<size_t>(setting));
}

double paper_value(const NormalsReport& report, const NormalsRow& row, CloudSetting setting) {
  for (const NormalsRow& each : report.rows)
    for (const RunOutcome* run : each.runs())
      if (is_other_collection(*run)) return NAN;
  const PaperValue& paper = row.protocol.paper;
  if (setting == CloudSetting::kUpright) return paper.table.empty() ? NAN : paper.value;
  const auto found = paper.columns.find(to_string(setting));
  return found == paper.columns.end() ? NAN : found->second;
}

std::string NormalsRow::title() const {
  return protocol.paper.row.empty() ? name : protocol.paper.row;
}

std::vector<double> NormalsRow::errors(CloudSetting setting) const {
  std::vector<double> values;
  if (setting == CloudSetting::kTurned)
    for (const RunOutcome& run : turned) values.push_back(run.test.error);
  else
    for (const Turning& each : turning)
      values.push_back(setting == CloudSetting::kUpright ? each.upright : each.turned);
  return values;
}

double NormalsRow::mean_error(CloudSetting setting) const {
  return mean(errors(setting));
}

double NormalsRow::deviation(CloudSetting setting) const {
  const std::vector<double> values = errors(setting);
  if (values.size() < 2) return NAN;
  double sum = 0;
  for (const double value : values) sum += std::pow(value - mean(values), 2);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

std::vector<const RunOutcome*> NormalsRow::runs() const {
  std::vector<const RunOutcome*> result;
  for (const RunOutcome& run : upright) result.push_back(&run);
  for (const RunOutcome& run : turned) result.push_back(&run);
  return result;
}

bool NormalsRow::claims_symmetry() const {
  const auto all = runs();
  return !all.empty() && all.front()->group != "none";
}

double NormalsRow::largest_gap() const {
  double gap = NAN;
  for (const Turning& each : turning) gap = std::fmax(gap, std::fabs(each.turned - each.upright));
  return gap;
}

std::string title(const NormalsReport& report) {
  return report.rows.empty() ? "Normals of point clouds beside the classical methods"
                             : "Normals of point clouds: Table 1 of the paper, trained again";
}

std::string summary(const NormalsReport& report) {
  std::vector<std::string> sentences;
  if (!report.rows.empty()) {
    sentences = turning_sentences(report);
    sentences.insert(sentences.begin(), trained_sentence(report));
  }
  if (const std::string accuracy = accuracy_sentence(report); !accuracy.empty())
    sentences.push_back(accuracy);
  return text::join(sentences, " ");
}

}  // namespace equiframe::inline experiments
