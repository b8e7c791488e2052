#include "train_console.h"

#include <cmath>
#include <cstdio>
#include <iostream>

#include "core/plain_text.h"
#include "terminal.h"

namespace equiframe::app {
namespace {

constexpr double kSecondsBetweenEpochLines = 10;
constexpr double kSecondsBetweenDrawings = 0.1;

std::string short_number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", value);
  return buffer;
}

/// "0.0213", or "0.0213 (98.5 %)" of a classifier.
std::string short_score(const Score& score) {
  if (score.measure != Measure::kCrossEntropy) return short_number(score.error);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, " (%.1f %%)", 100 * score.accuracy);
  return short_number(score.error) + buffer;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TrainConsole::TrainConsole(int64_t epochs, double max_seconds)
    : epochs_(epochs), max_seconds_(max_seconds), terminal_(is_terminal()) {}

void TrainConsole::close() {
  data_bar_.reset();
  bar_.reset();
}

void TrainConsole::on_message(const std::string& text) {
  data_bar_.reset();
  std::cerr << "equiframe: " << text::printable(text) << std::endl;
}

void TrainConsole::on_data(double fraction, const std::string& text) {
  if (!data_bar_) data_bar_ = std::make_unique<ProgressBar>("data");
  data_bar_->update(fraction, text);
}

void TrainConsole::on_start(const Progress& from) {
  close();
  started_ = Clock::now();
  start_ = fraction(static_cast<double>(from.epoch), from.seconds);
  if (terminal_) bar_ = std::make_unique<ProgressBar>("");
  if (from.step > 0)
    std::cerr << "going on from epoch " << from.epoch << ", step " << from.step << std::endl;
}

double TrainConsole::fraction(double epochs, double seconds) const {
  const double by_epochs = epochs / static_cast<double>(epochs_);
  return max_seconds_ > 0 ? std::max(by_epochs, seconds / max_seconds_) : by_epochs;
}

double TrainConsole::session_fraction(double epochs, double seconds) const {
  return start_ < 1 ? (fraction(epochs, seconds) - start_) / (1 - start_) : 1;
}

void TrainConsole::on_step(const StepReport& report) {
  loss_ = loss_ == 0 ? report.loss : 0.95 * loss_ + 0.05 * report.loss;
  if (!bar_ || seconds_since(drawn_) < kSecondsBetweenDrawings) return;
  drawn_ = Clock::now();
  const Progress& at = report.progress;
  const double epochs = static_cast<double>(at.epoch) +
                        static_cast<double>(at.batch) / static_cast<double>(report.batches);
  bar_->update(session_fraction(epochs, at.seconds), std::to_string(at.epoch + 1) + "/" +
                                                         std::to_string(epochs_) + " loss " +
                                                         short_number(loss_) + " best " + best_);
}

void TrainConsole::on_evaluation(const History& history, const Progress& progress) {
  const Evaluation& best = history[static_cast<size_t>(progress.best)];
  best_ = short_number(best.valid.error);
  if (terminal_) return;
  const bool last = progress.epoch >= epochs_;
  if (!last && seconds_since(drawn_) < kSecondsBetweenEpochLines) return;
  drawn_ = Clock::now();
  const Evaluation& now = history.back();
  const double done = session_fraction(static_cast<double>(now.epoch), progress.seconds);
  std::cerr << "epoch " << now.epoch << "/" << epochs_ << "  train " << short_number(now.train_loss)
            << "  valid " << short_score(now.valid) << "  test " << short_score(now.test)
            << "  best valid " << best_ << " (epoch " << best.epoch << ")  "
            << duration(seconds_since(started_) * (1 - done) / std::max(done, 1e-9)) << " left"
            << std::endl;
}

}  // namespace equiframe::app
