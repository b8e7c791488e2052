#include <algorithm>
#include <array>
#include <cmath>

#include "equiframe/core/error.h"
#include "equiframe/core/text.h"
#include "equiframe/experiments/reproduce.h"

namespace equiframe::experiments {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPatience = 2500;  // epochs; what "full protocol" allows to skip

struct StandardRow {
  const char* name;
  double share;         // of the time of a budget, relative to the others
  int64_t paper_seeds;  // runs in the budget "paper"
  bool in_table;        // of the paper; others are left out if there is no config of them
  Budget least;         // the smallest budget that makes sense
};

/// Table 3 in the order of the paper, and our own recipe, whose evaluation alone takes minutes.
constexpr std::array<StandardRow, 8> kStandard{{{"linear", 4, 5, true, Budget::kQuick},
                                                {"se3-transformer", 55, 1, true, Budget::kQuick},
                                                {"tfn", 30, 1, true, Budget::kQuick},
                                                {"gnn", 30, 5, true, Budget::kQuick},
                                                {"rf", 20, 5, true, Budget::kQuick},
                                                {"egnn", 35, 5, true, Budget::kQuick},
                                                {"fa-gnn", 60, 1, true, Budget::kQuick},
                                                {"fa-verlet", 45, 1, false, Budget::kHour}}};
constexpr StandardRow kOtherRow{"", 30, 1, false, Budget::kQuick};

const StandardRow& standard(const std::string& row) {
  const auto* found = std::find_if(kStandard.begin(), kStandard.end(),
                                   [&](const StandardRow& s) { return row == s.name; });
  return found == kStandard.end() ? kOtherRow : *found;
}

/// Seconds for the training of all rows; zero without a limit.
double training_time(Budget budget) {
  return budget == Budget::kQuick ? 200 : budget == Budget::kHour ? 54 * 60 : 0;
}

fs::path config_file(const ReproduceOptions& options, const std::string& row) {
  return options.configs / (row + ".toml");
}

std::vector<std::string> configs_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  if (error || names.empty())
    throw UserError("no configs (*.toml) in '" + folder.string() +
                    "'; name their folder with --configs");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> wanted_rows(const ReproduceOptions& options) {
  const std::vector<std::string> known = configs_in(options.configs);
  const auto exists = [&](const std::string& row) {
    return std::binary_search(known.begin(), known.end(), row);
  };
  std::vector<std::string> rows;
  if (options.rows.empty()) {
    for (const StandardRow& row : kStandard) {
      if (row.least <= options.budget && (row.in_table || exists(row.name)))
        rows.emplace_back(row.name);
    }
  }
  for (const std::string& row : options.rows) {
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  for (const std::string& row : rows) {
    if (!exists(row)) throw UserError(text::unknown_name("row", row, known));
  }
  return rows;
}

int64_t seeds_of(const ReproduceOptions& options, const std::string& row) {
  if (options.seeds > 0) return options.seeds;
  return options.budget == Budget::kPaper ? standard(row).paper_seeds : 1;
}

/// What the budget changes in the config of a row.
std::vector<std::string> budget_settings(const ReproduceOptions& options, const std::string& row) {
  if (options.budget == Budget::kPaper) {
    const bool in_paper = !load_config(config_file(options, row)).paper.table.empty();
    if (!in_paper) return {};
    return {"train.patience=" + std::to_string(kPatience)};
  }
  std::vector<double> shares;
  for (const StandardRow& each : kStandard) {
    if (each.least <= options.budget) shares.push_back(each.share);
  }
  const double unit = training_time(options.budget) / makespan(shares, options.jobs);
  const double seconds = std::floor(unit * standard(row).share /
                                    static_cast<double>(std::max<int64_t>(options.seeds, 1)));
  return {"train.max_seconds=" + std::to_string(std::lround(std::max(1.0, seconds)))};
}

PlannedRun planned_run(const ReproduceOptions& options, const std::string& row, int64_t number) {
  PlannedRun run;
  run.row = row;
  run.config = config_file(options, row);
  run.set({"train.threads=1"});
  run.set(budget_settings(options, row));
  run.set(options.settings);
  const uint64_t seed = run.resolved.train.seed + static_cast<uint64_t>(number);
  run.set({"train.seed=" + std::to_string(seed)});
  run.folder = options.out / (row + "-" + std::to_string(seed));
  run.seconds = run.resolved.train.max_seconds;
  return run;
}

}  // namespace

std::string to_string(Budget budget) {
  return budget == Budget::kQuick ? "quick" : budget == Budget::kHour ? "hour" : "paper";
}

Budget parse_budget(const std::string& text) {
  for (const Budget budget : {Budget::kQuick, Budget::kHour, Budget::kPaper}) {
    if (text == to_string(budget)) return budget;
  }
  throw UserError(text::unknown_name("budget", text, {"quick", "hour", "paper"}));
}

void PlannedRun::set(const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  resolved = load_config(config, settings);
}

std::vector<PlannedRun> plan_nbody(const ReproduceOptions& options) {
  std::vector<PlannedRun> runs;
  for (const std::string& row : wanted_rows(options)) {
    for (int64_t i = 0; i < seeds_of(options, row); ++i)
      runs.push_back(planned_run(options, row, i));
  }
  return runs;
}

double makespan(std::vector<double> lengths, int64_t jobs) {
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  std::vector<double> places(static_cast<size_t>(std::max<int64_t>(jobs, 1)), 0.0);
  for (const double length : lengths) *std::min_element(places.begin(), places.end()) += length;
  return *std::max_element(places.begin(), places.end());
}

}  // namespace equiframe::experiments
