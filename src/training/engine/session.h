#pragma once

#include <chrono>
#include <optional>

#include "training/engine/checkpoint.h"
#include "training/engine/optimizer.h"
#include "training/engine/trainer.h"

namespace equiframe::inline training {

/// One call of `fit`: the state of a run while a process works on it.
class Session {
 public:
  Session(Model& model, const Splits& splits, const TrainOptions& options,
          const FitContext& context);
  FitResult run();

 private:
  using Clock = std::chrono::steady_clock;
  enum class EpochEnd { kComplete, kStopped };

  /// From the folder's checkpoint if there is one; otherwise from the model as it is.
  void restore();
  void adopt(const TrainState& state);
  TrainState snapshot() const;
  void save();
  void save_if_due();

  EpochEnd train_epoch();
  double train_step(const Tensor& indices);
  void evaluate();
  /// Runs `f` with the weights that are evaluated: the averaged ones if there are any.
  template <class F>
  void with_evaluated_weights(F&& f);
  void keep_best();
  FitResult finish(StopReason reason);

  std::optional<StopReason> finished() const;
  bool stop_requested() const { return context_.stop != nullptr && context_.stop->load(); }
  double seconds() const;
  double rate() const;
  /// UserError that says how to go on.
  [[noreturn]] void refuse(const std::string& what) const;

  Model& model_;
  const Splits& splits_;
  const TrainOptions& options_;
  FitContext context_;
  Observer silent_;
  Observer& observer_;

  FlatParameters parameters_;
  Adam adam_;
  Tensor average_, best_;
  NamedTensors best_buffers_;
  Progress progress_;
  History history_;
  int64_t batches_;  // of an epoch

  std::optional<Checkpoints> checkpoints_;
  int64_t saved_step_ = -1;
  int64_t saved_epoch_ = 0;
  double earlier_seconds_ = 0;  // of the sessions before this one
  Clock::time_point start_ = Clock::now();
  Clock::time_point saved_at_ = Clock::now();
};

}  // namespace equiframe::inline training
