#include "experiments/runner/report_table.h"

#include <algorithm>
#include <cmath>

#include "core/plain_text.h"
#include "core/text.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using report::Align;
using report::number;
using text::printed;

void add_unique(std::vector<std::string>& list, const std::string& entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

/// "0.0083", "0.0083 ± 0.0004 (5 seeds)"
std::string test_mse_cell(const ReportRow& row) {
  if (row.runs.empty()) return "—";
  if (row.runs.size() == 1) return mse_text(row.mean_test_mse());
  return mse_text(row.mean_test_mse()) + " ± " + mse_text(row.deviation()) + " (" +
         std::to_string(row.runs.size()) + " seeds)";
}

std::string epochs_cell(const ReportRow& row) {
  std::vector<int64_t> epochs;
  for (const ReportedRun& run : row.runs) epochs.push_back(run.outcome.epochs);
  if (epochs.empty()) return "—";
  const auto [least, most] = std::minmax_element(epochs.begin(), epochs.end());
  return *least == *most ? whole_number(*least) : whole_number(*least) + "–" + whole_number(*most);
}

std::string time_cell(const ReportRow& row) {
  double seconds = 0;
  for (const ReportedRun& run : row.runs) seconds += run.outcome.seconds;
  return row.runs.empty() ? "—" : duration_text(seconds);
}

/// The group a row claims and its error under it; for a row that claims none, its error under E(3).
std::string symmetry_cell(const ReportRow& row) {
  if (row.runs.empty()) return "—";
  const std::string& group = row.runs.front().outcome.group;
  double claimed = 0, euclidean = 0;
  for (const ReportedRun& run : row.runs) {
    claimed = std::max(claimed, run.outcome.group_error64);
    euclidean = std::max(euclidean, run.euclidean_error);
  }
  return group == "none" ? "none; E(3): " + number(euclidean) : group + ": " + number(claimed);
}

std::string budget_cell(const ReportRow& row) {
  std::vector<std::string> words;
  for (const ReportedRun& run : row.runs)
    add_unique(words, budget_words(row.protocol, run.outcome));
  const auto missing = row.planned - static_cast<int64_t>(row.runs.size());
  if (!row.failure.empty())
    words.push_back("failed");
  else if (missing > 0)
    words.push_back(row.planned == 1 ? "not finished" : std::to_string(missing) + " not finished");
  return text::join(words);
}

}  // namespace

std::string mse_text(double value) {
  if (!std::isfinite(value)) return "—";
  return value != 0 && value < 5e-4 ? printed("%.2g", value) : printed("%.4f", value);
}

std::string duration_text(double seconds) {
  if (seconds < 300) return printed("%.0f s", seconds);
  if (seconds < 6000) return printed("%.0f min", seconds / 60);
  return printed("%.1f h", seconds / 3600);
}

report::Table TextTable::table() const {
  report::Table result(columns);
  for (const auto& row : rows) result.add_row(row);
  return result;
}

std::string TextTable::markdown() const {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns.size(); ++c) {
    widths.push_back(std::max<size_t>(3, report::width(columns[c].name)));
    for (const auto& row : rows) widths.back() = std::max(widths.back(), report::width(row[c]));
  }
  const auto line = [&](const auto& cell_of) {
    std::string result = "|";
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string cell = cell_of(c);
      const std::string padding(widths[c] - report::width(cell), ' ');
      result += " " + (columns[c].align == Align::kRight ? padding + cell : cell + padding) + " |";
    }
    return result + "\n";
  };
  std::string result = line([&](size_t c) { return columns[c].name; });
  result += line([&](size_t c) {
    return columns[c].align == Align::kRight ? std::string(widths[c] - 1, '-') + ":"
                                             : std::string(widths[c], '-');
  });
  for (const auto& row : rows) result += line([&](size_t c) { return row[c]; });
  return result;
}

TextTable result_table(const NBodyReport& report) {
  TextTable table{{{"row"},
                   {"parameters", Align::kRight},
                   {"paper", Align::kRight},
                   {"ours", Align::kRight},
                   {"epochs", Align::kRight},
                   {"time", Align::kRight},
                   {"symmetry: error"},
                   {"budget"}},
                  {}};
  for (const ReportRow& row : report.rows)
    table.rows.push_back({row.in_paper() ? row.title() : row.title() + " (own recipe)",
                          row.runs.empty() ? "—" : whole_number(row.runs[0].outcome.parameters),
                          row.in_paper() ? mse_text(row.protocol.paper.value) : "—",
                          test_mse_cell(row), epochs_cell(row), time_cell(row), symmetry_cell(row),
                          budget_cell(row)});
  return table;
}

TextTable spacing_table(const NBodyFigures& figures) {
  TextTable table{{{"frame", Align::kRight},
                   {"smallest", Align::kRight},
                   {"1 % lie below", Align::kRight},
                   {"median", Align::kRight},
                   {"sets below 0.01", Align::kRight}},
                  {}};
  for (const auto& [frame, summary, bars] : figures.spacing)
    table.rows.push_back({std::to_string(frame), printed("%.4f", summary.smallest),
                          printed("%.3f", summary.percentile_1), printed("%.3f", summary.median),
                          std::to_string(summary.below_hundredth)});
  return table;
}

TextTable stability_table(const NBodyFigures& figures) {
  TextTable table{
      {{"σ", Align::kRight}, {"mean E", Align::kRight}, {"standard deviation", Align::kRight}}, {}};
  for (const StabilityPoint& point : figures.stability)
    table.rows.push_back({printed("%.2g", point.sigma), printed("%.3g", point.mean),
                          printed("%.3g", point.deviation)});
  return table;
}

}  // namespace equiframe::inline experiments
