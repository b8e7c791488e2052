#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "equiframe/training/run.h"

namespace equiframe::inline experiments {

/// What a finished run left in its folder, for tables and charts.
struct RunOutcome {
  std::filesystem::path folder;
  RunConfig config;
  std::string config_hash;
  History history;
  int64_t parameters = 0;
  Score train, valid, test;  ///< of the weights with the best validation
  int64_t best_epoch = 0, epochs = 0;
  double seconds = 0;      ///< training and its evaluations, over all sessions
  std::string stopped_by;  ///< see to_string(StopReason)
  std::string group = "none";
  double group_error32 = 0, group_error64 = 0;  ///< equivariance error under `group`
  std::string data_description, data_checksum;
  Provenance provenance;
};

/// Nothing if the folder has no result yet. Throws UserError if what is there cannot be read.
std::optional<RunOutcome> read_outcome(const std::filesystem::path& folder);

/// Equivariance error of a saved model under all of E(3), in float64, whatever group it claims: a
/// network without a symmetry is measured by the same rule as one with it.
double euclidean_error(const std::filesystem::path& model_file);

}  // namespace equiframe::inline experiments
