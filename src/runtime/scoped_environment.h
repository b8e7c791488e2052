#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace equiframe::runtime {

inline std::optional<std::string> environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Sets an environment variable for the time of its own life. Not for use beside other threads
/// that read or write the environment.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* variable, const std::string& value)
      : variable_(variable), saved_(environment(variable)) {
    setenv(variable_, value.c_str(), 1);
  }
  ~ScopedEnvironment() {
    if (saved_) {
      setenv(variable_, saved_->c_str(), 1);
    } else {
      unsetenv(variable_);
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  const char* variable_;
  std::optional<std::string> saved_;
};

}  // namespace equiframe::runtime
