#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "experiments/normals/normal_accuracy.h"
#include "experiments/runner/reproduce.h"
#include "experiments/runner/run_outcome.h"

/// Table 1 of the paper, unoriented normals of clouds, and how accurate our network is.
namespace equiframe::inline experiments {

/// The columns of Table 1: how the clouds are turned that a network is trained and tested on.
enum class CloudSetting : size_t {
  kUpright,     ///< I/I: neither is turned
  kTurnedTest,  ///< I/SO(3): only those it is tested on
  kTurned,      ///< SO(3)/SO(3): all
};
inline constexpr std::array kCloudSettings{CloudSetting::kUpright, CloudSetting::kTurnedTest,
                                           CloudSetting::kTurned};
/// "I/I", "I/SO(3)", "SO(3)/SO(3)"
std::string to_string(CloudSetting setting);

/// What the weights trained on upright clouds do with the test clouds.
struct Turning {
  double upright = NAN;  ///< mean 1 - (n.n')^2 of the test set as it is stored
  double turned = NAN;   ///< and with each cloud turned at random
  /// Degrees between the normals of a turned cloud and the turned normals of the cloud, for the
  /// first clouds of the test set: mean and largest. In float32, with lines instead of directions.
  double mean_angle = NAN, largest_angle = NAN;
};
/// Loads the model of a finished run and the test set of its config, from `data` or the cache.
Turning measure_turning(const RunOutcome& run, const std::filesystem::path& data);

struct NormalsRow {
  std::string name;    ///< of its config
  RunConfig protocol;  ///< the config as it is in the file
  int64_t planned = 0;
  std::vector<RunOutcome> upright;  ///< finished runs, trained on upright clouds
  std::vector<Turning> turning;     ///< of each of them; may be shorter while there is work
  std::vector<RunOutcome> turned;   ///< trained on turned clouds
  std::string failure;              ///< why one could not be finished, in a line

  std::string title() const;
  /// Test errors of a column, one for each run that has one.
  std::vector<double> errors(CloudSetting setting) const;
  double mean_error(CloudSetting setting) const;  ///< NaN without a run
  double deviation(CloudSetting setting) const;   ///< over the seeds; NaN below two
  /// All finished runs.
  std::vector<const RunOutcome*> runs() const;
  bool claims_symmetry() const;
  /// |I/SO(3) - I/I| with the same weights, the largest over the seeds; NaN if nothing is measured.
  double largest_gap() const;
};

struct NormalsReport {
  Budget budget = Budget::kQuick;
  std::string command;
  std::vector<NormalsRow> rows;
  NormalAccuracy accuracy;
  std::string network;  ///< the file whose weights `accuracy` measured; empty = there was none
  std::vector<std::string> failures;
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// The error of a row in the paper by its config, on the paper's 10,000 models of ABC, 8,000 to
/// train and 2,000 to test; NaN if it has none, and if our clouds are of another number of meshes
/// of ABC, whose values are others in the paper too.
double paper_value(const NormalsReport& report, const NormalsRow& row, CloudSetting setting);

/// What it is about: Table 1, or accuracy alone if it has no rows.
std::string title(const NormalsReport& report);
/// What the report says in a few sentences.
std::string summary(const NormalsReport& report);

std::string to_json(const NormalsReport& report);
/// Table 1, and the means over surfaces if there are any.
std::string markdown_table(const NormalsReport& report);
std::string to_markdown(const NormalsReport& report);
std::string to_html(const NormalsReport& report);

}  // namespace equiframe::inline experiments
