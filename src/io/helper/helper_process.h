#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <sys/types.h>

namespace equiframe::inline io {

/// A program that answers messages (solid_protocol.h). It ends with this object, and its input ends
/// with this process.
class HelperProcess {
 public:
  /// Throws UserError if it cannot be started.
  explicit HelperProcess(const std::filesystem::path& program);
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;
  ~HelperProcess();

  /// The answer, or nothing if the helper died of the question. Then this object is of no more use.
  std::optional<std::string> ask(const std::string& question);
  /// Waits for its end and says how it came: the exit code, or 128 + signal.
  int exit_code();

 private:
  pid_t process_ = 0;
  int connection_ = -1;
};

}  // namespace equiframe::inline io
