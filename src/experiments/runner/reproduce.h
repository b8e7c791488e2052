#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "equiframe/training/run.h"

/// A result table of the paper as a list of training runs, one for each config and seed, and how
/// far each of them is. Nothing here trains.
namespace equiframe::inline experiments {

/// quick: five minutes; hour: an hour; paper: each config to its end, however long it takes.
enum class Budget { kQuick, kHour, kPaper };
std::string to_string(Budget budget);
Budget parse_budget(const std::string& text);

struct ReproduceOptions {
  Budget budget = Budget::kQuick;
  std::filesystem::path configs;      ///< folder with a file ROW.toml for each row
  std::filesystem::path data;         ///< files of the data set; empty = its cache
  std::string data_set = {};          ///< in place of the one the configs name
  std::filesystem::path out;          ///< the runs go to OUT/ROW-SEED
  std::vector<std::string> rows;      ///< empty = the rows of the table
  int64_t seeds = 0;                  ///< runs of a row; 0 = by the budget
  int64_t jobs = 1;                   ///< runs at a time, each on one thread
  std::vector<std::string> settings;  ///< "section.key=value" for every row, over the budget's
};

/// One training run that a table needs.
struct PlannedRun {
  std::string row;
  std::string variant;           ///< which of several ways to train the row; empty = the only one
  std::filesystem::path config;  ///< the file
  std::filesystem::path folder;
  std::vector<std::string> settings;  ///< what the budget and the user change in the config
  RunConfig resolved;
  double seconds = 0;  ///< time expected of it; 0 = nobody knows yet

  std::string name() const { return folder.filename().string(); }
  /// Adds settings and resolves the config again.
  void set(const std::vector<std::string>& more);
};

/// The runs of Table 3, row by row in the order of the paper. Beyond quick our own recipe comes
/// last, if there is a config of it.
///
/// quick and hour give every row a share of the time (train.max_seconds) such that `jobs` runs at a
/// time, longest first, end in 200 seconds and in 54 minutes; what starting and evaluating takes
/// comes on top. The share of a row does not depend on which others are asked for. paper trains to
/// the end of the config, or until 2,500 epochs have brought nothing better, with five seeds for
/// the cheap rows.
std::vector<PlannedRun> plan_nbody(const ReproduceOptions& options);

/// The runs of EXP-classify, the third column of Table 2, likewise: quick gives all rows a minute,
/// paper trains each to the end of its config.
std::vector<PlannedRun> plan_exp_classify(const ReproduceOptions& options);

/// The runs of Table 1 likewise, two for each row and seed, in ROW-I-SEED and ROW-SO3-SEED: trained
/// on upright clouds and on turned ones, and validated on clouds like those. Training takes
/// 100 seconds and 44 minutes; evaluation with whole frames comes on top. quick takes clouds of 128
/// points of 96 shapes, hour 540 shapes, paper 10,000, or what the configs say if a folder of
/// shapes is given.
std::vector<PlannedRun> plan_normals(const ReproduceOptions& options);

/// Time for runs of these lengths, each started when one of `jobs` places is free, longest first.
double makespan(std::vector<double> lengths, int64_t jobs);

enum class RunState {
  kAbsent,
  kUnfinished,  ///< of the same config; it can be gone on with
  kFinished,    ///< of the same config, and trained as long as is asked now
  kOther,       ///< the folder holds a run of another config
};
RunState run_state(const PlannedRun& run);

/// Moves the run in the folder, of whatever config, to FOLDER.HASH, so that nothing is lost.
/// Returns the new place.
std::filesystem::path set_aside(const PlannedRun& run);

/// Seconds with the threads of this process, from a few steps and batches.
struct EpochTime {
  double training = 0;    ///< one pass over the training set
  double evaluation = 0;  ///< validation and test set

  /// Of all epochs with their evaluations.
  double total(const TrainOptions& options) const;
};
EpochTime measure_epoch(const RunConfig& config, const Splits& splits);

/// Whether the learning rate is meant to fall until the last epoch, so that a run cut short by the
/// clock would not be the run that was meant.
bool has_ending_schedule(const TrainOptions& options);

/// Lowers the number of epochs to what fits into train.max_seconds, the warm-up with it, and
/// evaluates less often if that would take more than a fifth of the time.
void fit_schedule(PlannedRun& run, const EpochTime& time);

/// Takes epochs and evaluations of the run that was begun in the folder, if it differs in nothing
/// else.
bool adopt_schedule(PlannedRun& run);

}  // namespace equiframe::inline experiments
