#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/runner/report_table.h"
#include "experiments/separation/separation_report.h"
#include "report/svg.h"

/// EXP-classify in the separation report.
namespace equiframe::inline experiments {

/// Whether any row was trained.
bool has_classified(const SeparationReport& report);
TextTable classify_table(const SeparationReport& report);
nlohmann::ordered_json classify_json(const SeparationRow& row);
/// Validation accuracy of the averaged networks over epochs.
report::Svg classify_chart(const SeparationReport& report);
std::vector<std::string> classify_remarks(const SeparationReport& report);

}  // namespace equiframe::inline experiments
