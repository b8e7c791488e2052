#pragma once

#include <string>
#include <vector>

#include "experiments/normals/normals_report.h"
#include "experiments/runner/report_table.h"

/// What the three forms of the report on normals share.
namespace equiframe::inline experiments {

TextTable table1_table(const NormalsReport& report);
/// What the weights trained upright do when clouds are turned, row by row.
TextTable turning_table(const NormalsReport& report);
/// Means over the surfaces of each kind.
TextTable accuracy_means(const NormalsReport& report);
/// Every surface with every noise.
TextTable accuracy_cells(const NormalsReport& report);

/// "reduced: 12 s", see budget_words; the setting of the data set is no change of the protocol.
std::string run_words(const NormalsRow& row, const RunOutcome& run);

/// Whether one of its runs was cut short or had other settings than its protocol.
bool is_reduced(const NormalsRow& row);

/// What turning does to the rows with and without a symmetry; empty where nothing is measured.
std::vector<std::string> turning_sentences(const NormalsReport& report);
std::string accuracy_sentence(const NormalsReport& report);
/// What is measured of the paper's claim that FA-DGCNN is not behind DGCNN; empty without both.
std::string claim_sentence(const NormalsReport& report);

/// Paragraphs that the tables need to be read rightly.
std::vector<std::string> table1_remarks(const NormalsReport& report);
std::vector<std::string> accuracy_remarks(const NormalsReport& report);

/// "0.25 %"
std::string noise_text(double noise);
/// "3.42°", or a dash for NaN
std::string degrees_text(double degrees);

}  // namespace equiframe::inline experiments
