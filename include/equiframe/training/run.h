#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>

#include "equiframe/models/model_file.h"
#include "equiframe/training/config.h"
#include "equiframe/training/trainer.h"

namespace equiframe::inline training {

enum class OnExisting { kRefuse, kResume, kReplace };

/// One training run, from config to result.
struct RunRequest {
  RunConfig config;
  std::filesystem::path folder;
  std::filesystem::path data;  ///< files of the data set; empty = its cache
  OnExisting on_existing = OnExisting::kRefuse;
  std::string commit;  ///< of the sources, for the provenance
  Observer* observer = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

struct RunResult {
  FitResult fit;
  bool finished = false;  ///< false after an interruption: no model and no result file yet
  ModelCard card;         ///< of the model file
  std::map<std::string, double> metrics;
};

/// Loads the data, builds the model, trains, and writes model.safetensors and result.json. A folder
/// that holds a finished run is reported again without training if it is resumed.
RunResult run(const RunRequest& request);

/// The splits a config names, from the files in `folder`; empty = from the cache.
Splits load_data(const Choice& data, const std::filesystem::path& folder, Observer* observer);

/// The model with the best weights so far of a run folder, finished or not.
LoadedModel load_run(const std::filesystem::path& folder);

/// load_model for a file, load_run for a folder.
LoadedModel load_model_or_run(const std::filesystem::path& path);

}  // namespace equiframe::inline training
