/// What the report on normals says in words.
#include <algorithm>
#include <cstdint>
#include <map>

#include <c10/util/StringUtil.h>

#include "core/plain_text.h"
#include "core/text.h"
#include "experiments/normals/normals_tables.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using report::number;

/// Test errors that differ by less are the same up to rounding in float32.
constexpr double kRounding = 1e-5;

std::string plain_number(double value) {
  return text::printed("%.2f", value);
}

std::string number3(double value) {
  return text::printed("%.3f", value);
}

std::vector<const NormalsRow*> measured_rows(const NormalsReport& report, bool symmetric) {
  std::vector<const NormalsRow*> rows;
  for (const NormalsRow& row : report.rows)
    if (!row.turning.empty() && row.claims_symmetry() == symmetric) rows.push_back(&row);
  return rows;
}

std::string symmetric_sentence(const std::vector<const NormalsRow*>& rows) {
  const NormalsRow& worst = **std::max_element(rows.begin(), rows.end(), [](auto* a, auto* b) {
    return a->largest_gap() < b->largest_gap();
  });
  const double gap = worst.largest_gap();
  const std::string count =
      rows.size() == 1 ? "The row with a symmetry has"
                       : "The " + std::to_string(rows.size()) + " rows with a symmetry have";
  return count +
         (gap <= kRounding ? " the same error on upright and on turned test clouds, up to "
                           : " errors on upright and on turned test clouds that differ by up to ") +
         number(gap) + (rows.size() > 1 ? ", most for " + worst.title() : "") + ".";
}

std::string plain_sentence(const std::vector<const NormalsRow*>& rows) {
  std::vector<std::string> parts;
  for (const NormalsRow* row : rows)
    parts.push_back(row->title() + " from " +
                    plain_number(row->mean_error(CloudSetting::kUpright)) + " to " +
                    plain_number(row->mean_error(CloudSetting::kTurnedTest)));
  return "Without one, turning the test clouds takes " + text::join(parts) + "; guessing has 0.67.";
}

std::string data_sentence(const NormalsReport& report) {
  for (const NormalsRow& row : report.rows)
    for (const RunOutcome* run : row.runs())
      if (!run->data_description.empty()) return "Our clouds: " + run->data_description + ".";
  return "";
}

const NormalsRow* find(const NormalsReport& report, const std::string& name) {
  for (const NormalsRow& row : report.rows)
    if (row.name == name) return &row;
  return nullptr;
}

/// Whose numbers stand beside ours.
std::string paper_sentence(const NormalsReport& report) {
  const bool shown =
      std::any_of(report.rows.begin(), report.rows.end(), [&](const NormalsRow& row) {
        return std::isfinite(paper_value(report, row, CloudSetting::kUpright));
      });
  return shown
             ? "The paper's numbers are of its 10,000 models of the ABC collection, 8,000 to train "
               "and 2,000 to test. Unless our clouds are of these very meshes, rows are to be "
               "compared with each other, not with the paper's digits. "
             : "The paper's numbers are not shown: they are of another set than our clouds. ";
}

/// Which rows are not trained as the paper's were, and how they are.
std::string own_sentence(const NormalsReport& report) {
  std::map<std::string, std::vector<std::string>> rows;  // by what is our own
  for (const NormalsRow& row : report.rows)
    if (!row.protocol.paper.own.empty()) rows[row.protocol.paper.own].push_back(row.title());
  std::vector<std::string> parts;
  for (const auto& [own, titles] : rows) parts.push_back(text::join(titles) + ": " + own);
  return parts.empty() ? "" : "Not the paper's recipe but ours: " + text::join(parts, "; ") + ".";
}

}  // namespace

std::vector<std::string> turning_sentences(const NormalsReport& report) {
  std::vector<std::string> sentences;
  const auto with = measured_rows(report, true), without = measured_rows(report, false);
  if (!with.empty()) sentences.push_back(symmetric_sentence(with));
  if (!without.empty()) sentences.push_back(plain_sentence(without));
  return sentences;
}

std::string claim_sentence(const NormalsReport& report) {
  const NormalsRow *averaged = find(report, "fa-dgcnn"), *plain = find(report, "dgcnn");
  if (averaged == nullptr || plain == nullptr) return "";
  std::vector<std::string> parts;
  size_t seeds = SIZE_MAX;
  for (const CloudSetting setting : kCloudSettings) {
    const double ours = averaged->mean_error(setting), other = plain->mean_error(setting);
    if (!std::isfinite(ours) || !std::isfinite(other)) continue;
    const char* place = ours < other ? "ahead" : ours > other ? "behind" : "level";
    parts.push_back(c10::str(to_string(setting), " ", number3(ours), " and ", number3(other), " (",
                             place, ")"));
    seeds = std::min({seeds, averaged->errors(setting).size(), plain->errors(setting).size()});
  }
  if (parts.empty()) return "";
  return c10::str("In the paper FA-DGCNN is not behind DGCNN in any column. Here they have ",
                  text::join(parts), ", ", seeds, seeds == 1 ? " training" : " trainings",
                  " of each",
                  seeds == 1 ? ": too few to tell small differences from chance." : ".");
}

std::string accuracy_sentence(const NormalsReport& report) {
  if (!report.accuracy.has_network()) return "";
  std::vector<std::string> parts;
  for (const SurfaceKind kind : {SurfaceKind::kHeldOut, SurfaceKind::kNamed, SurfaceKind::kMesh}) {
    if (!report.accuracy.has(kind)) continue;
    double least = INFINITY, most = 0;
    for (const double noise : report.accuracy.noise) {
      const double ratio = mean_accuracy(report.accuracy, kind, noise).ratio();
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
    parts.push_back(plain_number(least) + " to " + plain_number(most) + " on " + to_string(kind));
  }
  return "Our networks' RMS angle, as a multiple of that of PCA with the best k, chosen "
         "knowing the truth: " +
         text::join(parts, "; ") + ".";
}

std::vector<std::string> table1_remarks(const NormalsReport& report) {
  std::vector<std::string> result{
      "Errors are means of 1 - (n.n')² over the points of the test clouds, lower is better; what "
      "stands before the stroke says how training clouds are turned, what stands behind it how "
      "test clouds are. Guessing has 0.667: a row near it has learnt nothing yet, and turning "
      "cannot "
      "cost it anything. The first two columns are one training, on upright clouds. Weights are "
      "those of the lowest validation error, on clouds turned as those of training are.",
      paper_sentence(report) + data_sentence(report)};
  if (std::any_of(report.rows.begin(), report.rows.end(), is_reduced))
    result.emplace_back(
        "Rows marked 'reduced' were cut short, and 'other settings' are fewer shapes or points: no "
        "reproduction of the paper's numbers. What they show is how far each network comes in the "
        "time given.");
  for (const std::string& sentence : {own_sentence(report), claim_sentence(report)})
    if (!sentence.empty()) result.push_back(sentence);
  for (const std::string& sentence : turning_sentences(report)) result.push_back(sentence);
  result.emplace_back(
      "The symmetry is the largest group a network is built to respect, with the largest relative "
      "deviation measured after training, in float64.");
  for (const std::string& failure : report.failures) result.push_back("Failed: " + failure);
  return result;
}

std::vector<std::string> accuracy_remarks(const NormalsReport& report) {
  std::vector<std::string> result{
      "Root mean square angle between estimated and true lines. Points have independent normal "
      "noise whose standard deviation is given in per cent of the diagonal of their box. 'Best k' "
      "is the number of neighbours that comes out best when the true normals are known, chosen "
      "anew for each surface and noise, which nobody can do in practice; 'k chosen' is found from "
      "the cloud alone, as 'equiframe normals --method pca' does. In brackets: k."};
  result.push_back(report.network.empty()
                       ? "Our network is missing: the file models/normals-fa-patch.safetensors was "
                         "not found, so its cells are empty."
                       : "Ours is the network behind 'equiframe normals', " + report.network +
                             ", which has seen none of these surfaces.");
  return result;
}

}  // namespace equiframe::inline experiments
