#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/text.h"
#include "equiframe/core/error.h"
#include "experiments/runner/reproduce.h"

namespace equiframe::inline experiments {
namespace {

namespace fs = std::filesystem;

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

/// The third column of Table 2. The large perceptrons learn late, GIN+ID within half a minute.
constexpr std::array<StandardRow, 14> kExpClassify{
    {{"gcn", 4, 1, true, Budget::kQuick},
     {"gat", 6, 1, true, Budget::kQuick},
     {"gin", 4, 1, true, Budget::kQuick},
     {"chebnet", 6, 1, true, Budget::kQuick},
     {"ppgn", 12, 1, true, Budget::kQuick},
     {"gnnml3", 12, 1, true, Budget::kQuick},
     {"mlp-ga", 8, 1, true, Budget::kQuick},
     {"mlp-fa", 8, 1, true, Budget::kQuick},
     {"mlp-fa-4", 8, 1, false, Budget::kHour},
     {"mlp-fa-canonical", 8, 1, false, Budget::kQuick},
     {"gin-id-ga", 12, 1, true, Budget::kQuick},
     {"gin-id-fa", 20, 1, true, Budget::kQuick},
     {"gin-id-fa-4", 20, 1, false, Budget::kHour},
     {"gin-id-fa-canonical", 20, 1, false, Budget::kQuick}}};

/// Table 1. About as many steps for each row: those of vector neurons and of patches take longer.
constexpr std::array<StandardRow, 7> kNormals{{{"pointnet", 8, 1, true, Budget::kQuick},
                                               {"vn-pointnet", 18, 1, true, Budget::kQuick},
                                               {"fa-pointnet", 8, 1, true, Budget::kQuick},
                                               {"fa-local-pointnet", 12, 1, true, Budget::kQuick},
                                               {"dgcnn", 9, 1, true, Budget::kQuick},
                                               {"vn-dgcnn", 14, 1, true, Budget::kQuick},
                                               {"fa-dgcnn", 10, 1, true, Budget::kQuick}}};

/// One of several ways to train a row, each a run of its own.
struct Variant {
  const char* name;
  const char* setting;
};
constexpr std::array<Variant, 1> kOneWay{{{"", ""}}};
constexpr std::array<Variant, 2> kUprightAndTurned{
    {{"I", "data.setting=I/I"}, {"SO3", "data.setting=SO3/SO3"}}};

/// Small clouds, for steps that fit many times into seconds; only the last epoch is evaluated,
/// which with a whole frame takes as long as many steps.
constexpr std::array<const char*, 3> kSmallClouds{"data.points=128", "train.batch=8",
                                                  "train.evaluate_every=1000"};
/// More steps for the time; whole frames take long, so evaluations are few.
constexpr std::array<const char*, 2> kSmallSteps{"train.batch=8", "train.evaluate_every=6"};
/// Shapes that are made, and evaluated, in a small part of the budget; for the paper's budget as
/// many as in its smallest set.
constexpr std::array<const char*, 3> kQuickShapes{"data.train=64", "data.valid=8", "data.test=24"};
constexpr std::array<const char*, 3> kHourShapes{"data.train=400", "data.valid=40",
                                                 "data.test=100"};
constexpr std::array<const char*, 3> kPaperShapes{"data.train=8000", "data.valid=400",
                                                  "data.test=1600"};

/// A result table: its rows, and the seconds that the training of all of them may take.
struct Table {
  const StandardRow* first;
  size_t count;
  double quick, hour;
  int64_t patience;  // epochs; what "full protocol" allows to skip; 0 = nothing
  std::span<const Variant> variants = kOneWay;
  std::span<const char*const> quick_settings = {}, hour_settings = {};
  std::array<std::span<const char* const>, 3> data = {};  // by budget, of the usual data set

  const StandardRow* begin() const { return first; }
  const StandardRow* end() const { return first + count; }
  const StandardRow& row(const std::string& name) const {
    const auto* found =
        std::find_if(begin(), end(), [&](const StandardRow& s) { return name == s.name; });
    return found == end() ? kOtherRow : *found;
  }
  double seconds(Budget budget) const { return budget == Budget::kQuick ? quick : hour; }
};
constexpr Table kTable3{kStandard.data(), kStandard.size(), 200, 54 * 60, 2500};
constexpr Table kTable2{kExpClassify.data(), kExpClassify.size(), 60, 40 * 60, 0};
/// Half of the quick budget, and ten minutes of the hour, are for evaluations with whole frames.
constexpr Table kTable1{kNormals.data(),
                        kNormals.size(),
                        100,
                        44 * 60,
                        0,
                        kUprightAndTurned,
                        kSmallClouds,
                        kSmallSteps,
                        {kQuickShapes, kHourShapes, kPaperShapes}};

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

std::vector<std::string> wanted_rows(const Table& table, const ReproduceOptions& options) {
  const std::vector<std::string> known = configs_in(options.configs);
  const auto exists = [&](const std::string& row) {
    return std::binary_search(known.begin(), known.end(), row);
  };
  std::vector<std::string> rows;
  if (options.rows.empty()) {
    for (const StandardRow& row : table) {
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

int64_t seeds_of(const Table& table, const ReproduceOptions& options, const std::string& row) {
  if (options.seeds > 0) return options.seeds;
  return options.budget == Budget::kPaper ? table.row(row).paper_seeds : 1;
}

void add(std::vector<std::string>& settings, std::span<const char* const> more) {
  settings.insert(settings.end(), more.begin(), more.end());
}

/// The data set and how much of it a budget takes.
std::vector<std::string> data_settings(const Table& table, const ReproduceOptions& options) {
  if (!options.data_set.empty()) return {"data.name=" + options.data_set};
  const bool all_there_are = options.budget == Budget::kPaper && !options.data.empty();
  std::vector<std::string> settings;
  if (!all_there_are) add(settings, table.data.at(static_cast<size_t>(options.budget)));
  return settings;
}

/// What the budget changes in the config of a row.
std::vector<std::string> budget_settings(const Table& table, const ReproduceOptions& options,
                                         const std::string& row) {
  if (options.budget == Budget::kPaper) {
    const bool in_paper = !load_config(config_file(options, row)).paper.table.empty();
    if (!in_paper || table.patience == 0) return {};
    return {"train.patience=" + std::to_string(table.patience)};
  }
  std::vector<double> shares;
  for (const StandardRow& each : table) {
    if (each.least <= options.budget)
      shares.insert(shares.end(), table.variants.size(), each.share);
  }
  const double unit = table.seconds(options.budget) / makespan(shares, options.jobs);
  const double seconds = std::floor(unit * table.row(row).share /
                                    static_cast<double>(std::max<int64_t>(options.seeds, 1)));
  std::vector<std::string> settings{"train.max_seconds=" +
                                    std::to_string(std::lround(std::max(1.0, seconds)))};
  add(settings, options.budget == Budget::kQuick ? table.quick_settings : table.hour_settings);
  return settings;
}

PlannedRun planned_run(const Table& table, const ReproduceOptions& options, const std::string& row,
                       const Variant& variant, int64_t number) {
  PlannedRun run;
  run.row = row;
  run.variant = variant.name;
  run.config = config_file(options, row);
  run.set({"train.threads=1"});
  run.set(data_settings(table, options));
  run.set(budget_settings(table, options, row));
  run.set(options.settings);
  const uint64_t seed = run.resolved.train.seed + static_cast<uint64_t>(number);
  run.set({"train.seed=" + std::to_string(seed)});
  if (!run.variant.empty()) run.set({variant.setting});
  const std::string name = run.variant.empty() ? row : row + "-" + run.variant;
  run.folder = options.out / (name + "-" + std::to_string(seed));
  run.seconds = run.resolved.train.max_seconds;
  return run;
}

std::vector<PlannedRun> plan(const Table& table, const ReproduceOptions& options) {
  std::vector<PlannedRun> runs;
  for (const std::string& row : wanted_rows(table, options)) {
    for (const Variant& variant : table.variants)
      for (int64_t i = 0; i < seeds_of(table, options, row); ++i)
        runs.push_back(planned_run(table, options, row, variant, i));
  }
  return runs;
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
  return plan(kTable3, options);
}

std::vector<PlannedRun> plan_exp_classify(const ReproduceOptions& options) {
  return plan(kTable2, options);
}

std::vector<PlannedRun> plan_normals(const ReproduceOptions& options) {
  return plan(kTable1, options);
}

double makespan(std::vector<double> lengths, int64_t jobs) {
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  std::vector<double> places(static_cast<size_t>(std::max<int64_t>(jobs, 1)), 0.0);
  for (const double length : lengths) *std::min_element(places.begin(), places.end()) += length;
  return *std::max_element(places.begin(), places.end());
}

}  // namespace equiframe::inline experiments
