#pragma once

#include <chrono>
#include <string>

namespace equiframe::app {

/// Tells on standard error how far long work has come and how long it will take: a bar that redraws
/// itself on a terminal, a line every ten percent elsewhere (none for work of less than a second).
class ProgressBar {
 public:
  explicit ProgressBar(std::string label, double total = 1);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Takes the bar off the terminal.
  ~ProgressBar();

  /// `done` of `total`, and what is being done. Cheap: most calls only look at the clock.
  void update(double done, const std::string& text = "");

 private:
  using Clock = std::chrono::steady_clock;

  double seconds_since(Clock::time_point start) const;
  void draw(double fraction, const std::string& text);
  void print_line(double fraction, const std::string& text);
  /// "12 s left", or nothing while nobody can know.
  std::string remaining(double fraction) const;

  std::string label_;
  double total_;
  bool terminal_;
  bool drawn_ = false;
  double printed_ = 0;  // fraction of the last line
  Clock::time_point start_, last_;
};

}  // namespace equiframe::app
