#pragma once

#include <cstdint>
#include <string>

#include "equiframe/core/tensor.h"

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
struct CheckpointInterval {
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

/// The rate at a point of training, `epoch` counted in (fractions of) epochs from 0.
double learning_rate(const TrainOptions& options, double epoch);

/// Throws UserError for a value outside its range, naming the key.
void validate(const TrainOptions& options);

}  // namespace equiframe::inline training
