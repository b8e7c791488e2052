#pragma once

#include <chrono>
#include <memory>

#include "equiframe/training/run.h"
#include "progress.h"

namespace equiframe::app {

/// A run as a person watches it: on a terminal one line that is redrawn, elsewhere one line for an
/// evaluation, and not more of them than one in some seconds. Everything goes to standard error.
class TrainConsole final : public Observer {
 public:
  TrainConsole(int64_t epochs, double max_seconds);

  void on_message(const std::string& text) override;
  void on_data(double fraction, const std::string& text) override;
  void on_start(const Progress& from) override;
  void on_step(const StepReport& report) override;
  void on_evaluation(const History& history, const Progress& progress) override;
  /// Takes the redrawn line away.
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  /// How much of the run is done, and of this session's part of it.
  double fraction(double epochs, double seconds) const;
  double session_fraction(double epochs, double seconds) const;

  int64_t epochs_;
  double max_seconds_;
  bool terminal_;
  std::unique_ptr<ProgressBar> data_bar_, bar_;
  double loss_ = 0;  // smoothed
  std::string best_ = "-";
  double start_ = 0;  // fraction that was done before
  Clock::time_point started_ = Clock::now();
  Clock::time_point drawn_;
};

}  // namespace equiframe::app
