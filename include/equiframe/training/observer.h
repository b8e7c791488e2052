#pragma once

#include <string>

#include "equiframe/training/metrics.h"

namespace equiframe::inline training {

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
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_message(const std::string& /*text*/) {}  ///< "using the checkpoint before it"
  virtual void on_data(double /*fraction*/, const std::string& /*text*/) {}
  virtual void on_start(const Progress& /*from*/) {}
  virtual void on_step(const StepReport& /*report*/) {}
  virtual void on_evaluation(const History& /*history*/, const Progress& /*progress*/) {}
  virtual void on_checkpoint(const Progress& /*progress*/) {}
};

}  // namespace equiframe::inline training
