#pragma once

#include <chrono>
#include <string>

namespace equiframe::app {

/// Lines that stay and, on a terminal, one below them that is redrawn; elsewhere the last is
/// printed once in a while. Everything goes to standard error.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// A line that stays.
  void say(const std::string& text);
  /// What is going on now.
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  void erase();

  bool terminal_;
  bool drawn_ = false;
  Clock::time_point printed_ = Clock::now();
};

}  // namespace equiframe::app
