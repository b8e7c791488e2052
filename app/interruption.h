#pragma once

#include <atomic>
#include <csignal>
#include <string>

namespace equiframe::app {

/// Ctrl-C and SIGTERM while it lives: the first asks for an orderly end, the second finds the
/// default action and kills. They may nest.
class OrderlyStop {
 public:
  OrderlyStop();
  OrderlyStop(const OrderlyStop&) = delete;
  OrderlyStop& operator=(const OrderlyStop&) = delete;
  ~OrderlyStop();

  static const std::atomic<bool>& requested();

 private:
  struct sigaction interrupt_ {
  }, terminate_{};  // as they were
};

/// Thrown out of long work that has no other way to end in between; what it has done is saved.
struct Interrupted {};
/// Throws Interrupted if an end is asked for.
void end_if_requested();

/// Prints `what`, as "stopped; everything is saved", and the command to type; sets the exit code.
void say_how_to_go_on(const std::string& what, const std::string& command);

}  // namespace equiframe::app
