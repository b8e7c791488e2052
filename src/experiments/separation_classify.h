#pragma once

#include <nlohmann/json_fwd.hpp>

#include "equiframe/experiments/separation_report.h"
#include "equiframe/report/svg.h"
#include "report_table.h"

/// EXP-classify in the separation report.
namespace equiframe::experiments {

/// Whether any row was trained.
bool has_classified(const SeparationReport& report);
TextTable classify_table(const SeparationReport& report);
nlohmann::ordered_json classify_json(const SeparationRow& row);
/// Validation accuracy of the averaged networks over epochs.
report::Svg classify_chart(const SeparationReport& report);
std::vector<std::string> classify_remarks(const SeparationReport& report);

}  // namespace equiframe::experiments
