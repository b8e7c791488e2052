#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace equiframe::app {

/// Instances of this same program that run side by side. They do not get the terminal's Ctrl-C, so
/// that the owner decides, and they are asked to end if the owner dies.
class ChildPool {
 public:
  struct Ended {
    size_t id = 0;
    int code = 0;  ///< of its exit; 128 + signal if one killed it
  };

  ChildPool() = default;
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;
  /// Interrupts those that run and waits for them.
  ~ChildPool();

  /// Starts `equiframe ARGUMENTS`; what it prints goes to the file `log`. Throws UserError.
  void start(size_t id, std::vector<std::string> arguments, const std::filesystem::path& log);
  size_t running() const { return children_.size(); }
  /// One that has ended, if one does within this time.
  std::optional<Ended> wait(double seconds);
  /// The first call is Ctrl-C for all of them; later ones do nothing, for a second Ctrl-C kills.
  void interrupt();

 private:
  struct Child {
    size_t id = 0;
    pid_t process = 0;
  };
  std::optional<Ended> collect();

  std::vector<Child> children_;
  bool interrupted_ = false;
};

}  // namespace equiframe::app
