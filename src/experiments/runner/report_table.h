#pragma once

#include <string>
#include <vector>

#include "experiments/nbody/nbody_report.h"
#include "report/format.h"
#include "report/table.h"

/// What the three forms of a report share: cells as text.
namespace equiframe::inline experiments {

using report::whole_number;

struct TextTable {
  std::vector<report::Column> columns;
  std::vector<std::vector<std::string>> rows;

  report::Table table() const;
  /// A Markdown table, its columns aligned for reading as plain text.
  std::string markdown() const;
};

TextTable result_table(const NBodyReport& report);
TextTable spacing_table(const NBodyFigures& figures);
TextTable stability_table(const NBodyFigures& figures);

/// Sentences that the table needs to be read rightly, one paragraph each.
std::vector<std::string> remarks(const NBodyReport& report);

/// "0.0057"; more digits for very small errors.
std::string mse_text(double value);
/// "155 s", "12 min", "3.4 h"
std::string duration_text(double seconds);

}  // namespace equiframe::inline experiments
