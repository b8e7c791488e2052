#include "experiments/normals/normals_tables.h"

#include <algorithm>

#include "core/plain_text.h"
#include "core/text.h"
#include "report/format.h"

namespace equiframe::inline experiments {
namespace {

using report::Align;
using report::number;

constexpr const char* kNone = "—";

std::string printed_or_none(const char* format, double value) {
  return std::isfinite(value) ? text::printed(format, value) : kNone;
}

std::string error_text(double value) {
  return printed_or_none("%.3f", value);
}

/// "0.158", "0.158 ± 0.004"
std::string ours_cell(const NormalsRow& row, CloudSetting setting) {
  const std::string text = error_text(row.mean_error(setting));
  const double deviation = row.deviation(setting);
  return std::isfinite(deviation) ? text + " ± " + error_text(deviation) : text;
}

/// "E(3): 1.2e-15", or "none"
std::string symmetry_cell(const NormalsRow& row) {
  if (row.runs().empty()) return kNone;
  if (!row.claims_symmetry()) return "none";
  double error = 0;
  for (const RunOutcome* run : row.runs()) error = std::max(error, run->group_error64);
  return row.runs().front()->group + ": " + number(error);
}

std::string budget_cell(const NormalsRow& row) {
  std::vector<std::string> words;
  for (const RunOutcome* run : row.runs()) {
    const std::string each = run_words(row, *run);
    if (std::find(words.begin(), words.end(), each) == words.end()) words.push_back(each);
  }
  const auto missing = row.planned - static_cast<int64_t>(row.runs().size());
  if (!row.failure.empty())
    words.emplace_back("failed");
  else if (missing > 0)
    words.push_back(std::to_string(missing) + " not finished");
  return text::join(words);
}

double worst_angle(const NormalsRow& row) {
  double worst = NAN;
  for (const Turning& each : row.turning) worst = std::fmax(worst, each.largest_angle);
  return worst;
}

double mean_angle(const NormalsRow& row) {
  double sum = 0;
  for (const Turning& each : row.turning) sum += each.mean_angle;
  return row.turning.empty() ? NAN : sum / static_cast<double>(row.turning.size());
}

std::string fit_text(const BestFit& fit) {
  return std::isfinite(fit.degrees) ? degrees_text(fit.degrees) + " (" + std::to_string(fit.k) + ")"
                                    : kNone;
}

}  // namespace

std::string noise_text(double noise) {
  return number(100 * noise) + " %";
}

std::string degrees_text(double degrees) {
  return std::isfinite(degrees) ? printed_or_none("%.2f°", degrees) : kNone;
}

std::string run_words(const NormalsRow& row, const RunOutcome& run) {
  RunConfig protocol = row.protocol;
  const auto setting = run.config.data.settings.find("setting");
  if (setting != run.config.data.settings.end())
    protocol.data.settings["setting"] = setting->second;
  return budget_words(protocol, run);
}

bool is_reduced(const NormalsRow& row) {
  const auto runs = row.runs();
  return std::any_of(runs.begin(), runs.end(), [&](const RunOutcome* run) {
    const std::string words = run_words(row, *run);
    return words.starts_with("other settings") || words.find("reduced") != std::string::npos;
  });
}

TextTable table1_table(const NormalsReport& report) {
  TextTable table{{{"row"}, {"parameters", Align::kRight}}, {}};
  for (const CloudSetting setting : kCloudSettings) {
    table.columns.push_back({to_string(setting) + ", paper, ABC 10k", Align::kRight});
    table.columns.push_back({"ours", Align::kRight});
  }
  table.columns.push_back({"symmetry: error"});
  table.columns.push_back({"budget"});
  for (const NormalsRow& row : report.rows) {
    std::vector<std::string> cells{
        row.title(), row.runs().empty() ? kNone : whole_number(row.runs().front()->parameters)};
    for (const CloudSetting setting : kCloudSettings) {
      cells.push_back(error_text(paper_value(report, row, setting)));
      cells.push_back(ours_cell(row, setting));
    }
    cells.push_back(symmetry_cell(row));
    cells.push_back(budget_cell(row));
    table.rows.push_back(cells);
  }
  return table;
}

TextTable turning_table(const NormalsReport& report) {
  TextTable table{{{"row"},
                   {"I/SO(3) less I/I", Align::kRight},
                   {"mean angle", Align::kRight},
                   {"largest angle", Align::kRight}},
                  {}};
  for (const NormalsRow& row : report.rows) {
    if (row.turning.empty()) continue;
    table.rows.push_back({row.title(),
                          printed_or_none("%+.2g", row.mean_error(CloudSetting::kTurnedTest) -
                                                       row.mean_error(CloudSetting::kUpright)),
                          printed_or_none("%.2g°", mean_angle(row)),
                          printed_or_none("%.2g°", worst_angle(row))});
  }
  return table;
}

TextTable accuracy_means(const NormalsReport& report) {
  TextTable table{{{"surfaces"},
                   {"noise", Align::kRight},
                   {"PCA, best k", Align::kRight},
                   {"PCA, k chosen", Align::kRight},
                   {"jets, best k", Align::kRight},
                   {"ours", Align::kRight},
                   {"ours / PCA", Align::kRight}},
                  {}};
  for (const SurfaceKind kind : {SurfaceKind::kHeldOut, SurfaceKind::kNamed, SurfaceKind::kMesh}) {
    if (!report.accuracy.has(kind)) continue;
    for (const double noise : report.accuracy.noise) {
      const MeanAccuracy mean = mean_accuracy(report.accuracy, kind, noise);
      table.rows.push_back({to_string(kind), noise_text(noise), degrees_text(mean.pca),
                            degrees_text(mean.chosen), degrees_text(mean.jet),
                            degrees_text(mean.network), printed_or_none("%.2f", mean.ratio())});
    }
  }
  return table;
}

TextTable accuracy_cells(const NormalsReport& report) {
  TextTable table{{{"surface"},
                   {"noise", Align::kRight},
                   {"PCA, best k", Align::kRight},
                   {"PCA, k chosen", Align::kRight},
                   {"jets, best k", Align::kRight},
                   {"ours", Align::kRight}},
                  {}};
  for (const AccuracyCell& cell : report.accuracy.cells)
    table.rows.push_back({report.accuracy.surfaces.at(cell.surface).name, noise_text(cell.noise),
                          fit_text(cell.pca), fit_text(cell.chosen), fit_text(cell.jet),
                          degrees_text(cell.network)});
  return table;
}

}  // namespace equiframe::inline experiments
