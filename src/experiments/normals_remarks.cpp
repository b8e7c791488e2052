/// What the report on normals says in words.
#include <algorithm>

#include "equiframe/core/plain_text.h"
#include "equiframe/core/text.h"
#include "equiframe/report/format.h"
#include "normals_tables.h"

namespace equiframe::experiments {
namespace {

using report::number;

/// Test errors that differ by less are the same up to rounding in float32.
constexpr double kRounding = 1e-5;

std::string plain_number(double value) {
  return text::printed("%.2f", value);
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

bool is_reduced(const NormalsReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(), [](const NormalsRow& row) {
    const auto runs = row.runs();
    return std::any_of(runs.begin(), runs.end(), [&](const RunOutcome* run) {
      return !run_words(row, *run).starts_with("full");
    });
  });
}

}  // namespace

std::vector<std::string> turning_sentences(const NormalsReport& report) {
  std::vector<std::string> sentences;
  const auto with = measured_rows(report, true), without = measured_rows(report, false);
  if (!with.empty()) sentences.push_back(symmetric_sentence(with));
  if (!without.empty()) sentences.push_back(plain_sentence(without));
  return sentences;
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
      "The paper's numbers are of 10,000 models of the ABC collection. Ours are of other shapes, "
      "so rows are to be compared with each other, not with the paper's digits. " +
          data_sentence(report)};
  if (is_reduced(report))
    result.emplace_back(
        "Rows marked 'reduced' were cut short, and 'other settings' are fewer shapes or points: no "
        "reproduction of the paper's numbers. What they show is how far each network comes in the "
        "time given.");
  for (const std::string& sentence : turning_sentences(report)) result.push_back(sentence);
  result.emplace_back(
      "The symmetry is the largest group a network is built to respect, with the largest relative "
      "deviation measured after training, in float64. FA rows are trained with one random element "
      "of the frame and tested with all of it. How the paper made VN networks estimate normals is "
      "not said; those rows are our way.");
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

}  // namespace equiframe::experiments
