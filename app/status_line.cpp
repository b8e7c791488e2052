#include "status_line.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace equiframe::app {
namespace {

constexpr double kSecondsBetweenLines = 60;

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

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
    const std::string line = text.size() >= columns() ? text.substr(0, columns() - 1) : text;
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
