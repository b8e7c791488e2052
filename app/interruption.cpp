#include "interruption.h"

#include <iostream>

#include "commands.h"

namespace equiframe::app {
namespace {

std::atomic<bool> stop_requested{false};

}  // namespace

OrderlyStop::OrderlyStop() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
}

OrderlyStop::~OrderlyStop() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

const std::atomic<bool>& OrderlyStop::requested() {
  return stop_requested;
}

void end_if_requested() {
  if (stop_requested) throw Interrupted();
}

void say_how_to_go_on(const std::string& what, const std::string& command) {
  std::cerr << what << ". Go on with:\n  " << command << std::endl;
  set_exit_code(kExitInterrupted);
}

}  // namespace equiframe::app
