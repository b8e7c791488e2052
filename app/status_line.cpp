#include "status_line.h"

#include <cstdio>

#include "terminal.h"

namespace equiframe::app {
namespace {

constexpr double kSecondsBetweenLines = 60;

}  // namespace

StatusLine::StatusLine() : terminal_(is_terminal()) {}

StatusLine::~StatusLine() {
  erase();
}

void StatusLine::erase() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

void StatusLine::say(const std::string& text) {
  erase();
  std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
}

void StatusLine::show(const std::string& text) {
  if (terminal_) {
    const std::string line =
        text.size() >= terminal_columns() ? text.substr(0, terminal_columns() - 1) : text;
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    drawn_ = true;
    return;
  }
  if (std::chrono::duration<double>(Clock::now() - printed_).count() < kSecondsBetweenLines) return;
  printed_ = Clock::now();
  say(text);
}

}  // namespace equiframe::app
