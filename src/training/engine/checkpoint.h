#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "equiframe/training/run.h"
#include "training/engine/optimizer.h"

namespace equiframe::inline training {

using NamedTensors = std::map<std::string, Tensor>;

/// Everything a run needs to go on as if it had never stopped. Randomness needs nothing: it is a
/// function of (seed, epoch) and (seed, step).
struct TrainState {
  Progress progress;
  History history;
  std::string layout;  ///< FlatParameters::layout()
  Tensor parameters, mean, variance;
  Tensor average;  ///< undefined without weight averaging
  Tensor best;     ///< parameters of the best evaluation; undefined before the first
  NamedTensors buffers, best_buffers;
};

/// The checkpoints of a run folder: the newest, and the one before it in case the newest is lost.
class Checkpoints {
 public:
  explicit Checkpoints(std::filesystem::path folder);

  /// Atomic: whatever happens, a complete checkpoint is on the disk, this one or the last.
  void save(const TrainState& state);

  struct Loaded {
    TrainState state;
    std::string warning;  ///< not empty if the newest one was damaged
  };
  /// The newest readable one; nothing if the folder has none at all. Throws UserError if there are
  /// some and none can be read.
  std::optional<Loaded> load();

  std::filesystem::path newest() const;
  std::filesystem::path previous() const;

 private:
  std::filesystem::path folder_;
  bool newest_is_good_ = false;  // only a good one may replace the previous one
};

}  // namespace equiframe::inline training
