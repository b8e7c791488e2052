#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "terminal.h"

namespace equiframe::app {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr double kLineSeconds = 1;
constexpr double kLineFraction = 0.1;
constexpr size_t kBarCells = 24;

std::string percent(double fraction) {
  return std::to_string(static_cast<int>(100 * fraction)) + " %";
}

}  // namespace

ProgressBar::ProgressBar(std::string label, double total)
    : label_(std::move(label)),
      total_(total),
      terminal_(is_terminal()),
      start_(Clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

double ProgressBar::seconds_since(Clock::time_point start) const {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void ProgressBar::update(double done, const std::string& text) {
  const double fraction = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 1.0;
  if (terminal_) {
    if (seconds_since(last_) >= kRedrawSeconds) draw(fraction, text);
  } else if (fraction >= printed_ + kLineFraction && seconds_since(last_) >= kLineSeconds) {
    print_line(fraction, text);
  }
}

std::string ProgressBar::remaining(double fraction) const {
  const double elapsed = seconds_since(start_);
  if (fraction < 0.01 || elapsed < 0.5) return "";
  return duration(elapsed * (1 - fraction) / fraction) + " left";
}

void ProgressBar::draw(double fraction, const std::string& text) {
  const auto filled = static_cast<size_t>(fraction * kBarCells);
  std::string line = label_ + " [" + std::string(filled, '#') +
                     std::string(kBarCells - filled, '.') + "] " + percent(fraction);
  for (const std::string& piece : {text, remaining(fraction)}) {
    if (!piece.empty()) line += "  " + piece;
  }
  const size_t width = terminal_columns();
  if (line.size() >= width) line.resize(width - 1);
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
  last_ = Clock::now();
}

void ProgressBar::print_line(double fraction, const std::string& text) {
  std::string line = label_ + ": " + percent(fraction);
  for (const std::string& piece : {text, remaining(fraction)}) {
    if (!piece.empty()) line += ", " + piece;
  }
  std::fprintf(stderr, "%s\n", line.c_str());
  printed_ = fraction;
  last_ = Clock::now();
}

}  // namespace equiframe::app
