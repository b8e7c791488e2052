#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "equiframe/core/options.h"
#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline training {

enum class OptimizerKind { kAdam, kAdamW };
enum class Schedule { kConstant, kCosine, kStep, kWarmupCosine };
enum class LossKind {
  kMse,
  kMae,
  kHuber,
  kCauchy,
  kCrossEntropy,
  kUnoriented,  ///< the mean of 1 - (n.n')^2
  kAngle,       ///< the mean over items of the root mean square angle
  kLogAngle     ///< the mean of its logarithm: a tenth less counts the same on any item
};

/// How often the state reaches the disk: after so many epochs, or so many seconds; 0 = never.
struct EQUIFRAME_API CheckpointInterval {
  int64_t epochs = 0;
  double seconds = 30;

  /// "20" epochs, "90s" seconds.
  static CheckpointInterval parse(const std::string& text);
  std::string str() const;
};

/// The [train] section of a config: everything `fit` does, in units of epochs where it can be. An
/// epoch is one pass over the training set in an order that (seed, epoch) determines.
struct TrainOptions {
  int64_t epochs = 100;
  int64_t batch = 100;
  bool drop_last = true;  ///< leave out the last batch of an epoch if it is not full

  OptimizerKind optimizer = OptimizerKind::kAdam;
  double lr = 1e-3;
  double weight_decay = 0;  ///< added to the gradient by adam (L2), to the weights by adamw
  double clip = 0;          ///< largest norm of the whole gradient; 0 = off
  double ema = 0;           ///< decay of the averaged weights that are evaluated; 0 = off
  LossKind loss = LossKind::kMse;
  double huber_delta = 1;
  double cauchy_delta = 1;  ///< log(1 + |error|^2 / delta^2) of each node

  Schedule schedule = Schedule::kConstant;
  double warmup_epochs = 0;  ///< warmup-cosine: linear rise from 0
  double min_lr = 0;         ///< cosine, warmup-cosine: where they end
  double step_epochs = 0;    ///< step: every so many epochs ...
  double step_factor = 0.1;  ///< ... the rate is multiplied by this

  int64_t evaluate_every = 5;  ///< epochs; the last epoch is always evaluated
  int64_t patience = 0;        ///< stop after so many epochs without a better validation; 0 = off
  double max_seconds = 0;      ///< stop at the end of the epoch that passes it; 0 = off
  CheckpointInterval checkpoint_every;

  uint64_t seed = 1;
  int64_t threads = 0;  ///< 0 = what suits the machine
  Precision dtype = Precision::kFloat32;
};

/// The cell of the paper that a run is compared with; without a table there is none.
struct PaperValue {
  std::string table;
  std::string row;
  double value = 0;
  std::string own = {};  ///< where our recipe is not the paper's, in words; empty = it is
  std::map<std::string, double> columns = {};  ///< others of the row, as the table names them
};

/// One row of a result table: what is needed to train it again.
///
///     [data]                 [model]               [train]            [paper]
///     name = "nbody"         name = "fa-gnn"       epochs = 10000     table = "Table 3"
///                            width = 60            lr = 1e-3          value = 0.0057
///
/// Keys of [data] and [model] other than `name` go to the plug-in, which refuses those it does not
/// know; keys of [train] and [paper] are the members of the structs above.
struct RunConfig {
  Choice data{"nbody", {}};
  Choice model;
  TrainOptions train;
  PaperValue paper;
};

/// `overrides` are "section.key=value" and win. `where` names the text in messages. Throws
/// UserError with the line for what cannot be read, with the nearest known key for one nobody
/// knows.
EQUIFRAME_API RunConfig parse_config(const std::string& toml, const std::string& where,
                                     const std::vector<std::string>& overrides = {});
EQUIFRAME_API RunConfig load_config(const std::filesystem::path& file,
                                    const std::vector<std::string>& overrides = {});

/// Every setting, defaults included, so that later versions read the same run.
EQUIFRAME_API std::string to_toml(const RunConfig& config);

/// SHA-256 of `to_toml` without the settings that cannot change a result: threads,
/// checkpoint_every, max_seconds, and the paper's value.
EQUIFRAME_API std::string config_hash(const RunConfig& config);

}  // namespace equiframe::inline training
