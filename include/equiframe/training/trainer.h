#pragma once

#include <atomic>
#include <filesystem>

#include "equiframe/datasets/dataset.h"
#include "equiframe/models/model.h"
#include "equiframe/training/checkpoint.h"
#include "equiframe/training/observer.h"
#include "equiframe/training/run_folder.h"
#include "equiframe/training/train_options.h"

namespace equiframe::inline training {

enum class StopReason { kEpochs, kPatience, kTime, kInterrupted };
std::string to_string(StopReason reason);

struct FitContext {
  RunFolder* folder = nullptr;              ///< null: nothing is written
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
/// state is saved at once and the reason is kInterrupted. A loss that is not finite is a UserError;
/// the last checkpoint stays.
FitResult fit(Model& model, const Splits& splits, const TrainOptions& options,
              const FitContext& context = {});

/// The order of the training set in an epoch: a permutation of 0 ... size - 1, [size] int64.
Tensor epoch_order(int64_t size, uint64_t seed, int64_t epoch);

}  // namespace equiframe::inline training
