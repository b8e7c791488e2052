#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace equiframe::training_test {

/// This test program, started anew to run one disabled test of it. OpenMP does not survive a fork
/// without exec, so a child always is a new program.
class Child {
 public:
  /// `variables` ("NAME=value") are added to its environment.
  Child(const std::string& test, std::vector<std::string> variables);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  void send(int signal) const;
  /// Exit code, or minus the signal that ended it. Waits.
  int wait();
  bool is_running();
  /// Standard output and error; after `wait`.
  std::string output() const;

 private:
  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::string log_;
};

}  // namespace equiframe::training_test
