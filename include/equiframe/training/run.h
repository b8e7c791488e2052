#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "equiframe/datasets/dataset.h"
#include "equiframe/export.h"
#include "equiframe/models/model_file.h"
#include "equiframe/training/config.h"

namespace equiframe::inline training {

class RunFolder;

/// What a model is judged by: predictions of numbers by their squared error, of classes by the
/// cross-entropy, of unoriented normals by the squared sine of the angle between them. The loss it
/// is trained with decides.
enum class Measure { kSquaredError, kCrossEntropy, kUnoriented };

/// How a model does on a data set.
struct Score {
  double error = 0;       ///< the mean of what is measured
  double accuracy = NAN;  ///< share of the items put into their class; NaN without classes
  Measure measure = Measure::kSquaredError;
};

/// One line of metrics.jsonl. No clock in it: an interrupted and resumed run writes the same bytes.
struct Evaluation {
  int64_t epoch = 0;      ///< epochs done
  int64_t step = 0;       ///< optimiser steps done
  double lr = 0;          ///< of the last step
  double train_loss = 0;  ///< mean over the steps of the epoch, as the weights went by
  Score valid = {}, test = {};
};

using History = std::vector<Evaluation>;

/// Where a run stands. With the seed, it determines every random choice that follows.
struct Progress {
  int64_t epoch = 0;    ///< epochs done
  int64_t batch = 0;    ///< batches done of the next one
  int64_t step = 0;     ///< optimiser steps done
  double loss_sum = 0;  ///< of the batches of the unfinished epoch
  int64_t best = -1;    ///< index of the best evaluation in the history; -1 = none yet
  double seconds = 0;   ///< wall time, over all sessions of the run
};

struct StepReport {
  const Progress& progress;
  double loss = 0;
  int64_t batches = 0;  ///< of an epoch
};

/// What a program may want to show of a run. The library itself prints nothing.
class EQUIFRAME_API Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_message(const std::string& /*text*/) {}  ///< "using the checkpoint before it"
  virtual void on_data(double /*fraction*/, const std::string& /*text*/) {}
  virtual void on_start(const Progress& /*from*/) {}
  virtual void on_step(const StepReport& /*report*/) {}
  virtual void on_evaluation(const History& /*history*/, const Progress& /*progress*/) {}
  virtual void on_checkpoint(const Progress& /*progress*/) {}
};

enum class StopReason { kEpochs, kPatience, kTime, kInterrupted };
EQUIFRAME_API std::string to_string(StopReason reason);

struct FitContext {
  RunFolder* folder = nullptr;              ///< of `run`; null: nothing is written
  Observer* observer = nullptr;             ///< null: nobody watches
  const std::atomic<bool>* stop = nullptr;  ///< set it to end after the current step
  std::filesystem::path data = {};          ///< where the samples are from, for words on going on
};

struct FitResult {
  StopReason reason = StopReason::kEpochs;
  Progress progress;
  History history;
  /// The evaluation with the lowest validation error; the model holds its weights.
  const Evaluation& best() const { return history.at(static_cast<size_t>(progress.best)); }
};

/// Trains `model` and leaves the weights of the best validation in it, in `eval()`.
///
/// If the folder has a checkpoint, training goes on from it, also in the middle of an epoch, and
/// computes the same bits as if it had never stopped (same machine, same threads). On `stop` the
/// state is saved at once and the reason is kInterrupted. A loss that is not finite is a
/// UserError; the last checkpoint stays.
EQUIFRAME_API FitResult fit(Model& model, const Splits& splits, const TrainOptions& options,
                            const FitContext& context = {});

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

/// Loads the data, builds the model, trains, and writes model.safetensors and result.json. A
/// folder that holds a finished run is reported again without training if it is resumed.
EQUIFRAME_API RunResult run(const RunRequest& request);

/// The model with the best weights so far of a run folder, finished or not.
EQUIFRAME_API LoadedModel load_run(const std::filesystem::path& folder);

/// load_model for a file, load_run for a folder.
EQUIFRAME_API LoadedModel load_model_or_run(const std::filesystem::path& path);

}  // namespace equiframe::inline training
