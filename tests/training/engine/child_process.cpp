#include "tests/training/engine/child_process.h"

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/training/engine/toy.h"

extern char** environ;

namespace equiframe::training_test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

Child::Child(const std::string& test, std::vector<std::string> variables) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::string(*entry).rfind("GTEST_", 0) != 0) variables.emplace_back(*entry);
  }
  std::vector<std::string> arguments{"child", "--gtest_also_run_disabled_tests",
                                     "--gtest_filter=" + test};
  std::string log = "/tmp/equiframe-child-XXXXXX";
  const int out = mkstemp(log.data());
  log_ = log;
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
  const int error = posix_spawn(&id_, "/proc/self/exe", &actions, nullptr,
                                pointers(arguments).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(out);
  if (error != 0) throw std::runtime_error("cannot start a child process");
}

Child::~Child() {
  if (!ended_) {
    send(SIGKILL);
    wait();
  }
  unlink(log_.c_str());
}

void Child::send(int signal) const {
  kill(id_, signal);
}

bool Child::is_running() {
  if (!ended_ && waitpid(id_, &status_, WNOHANG) == id_) ended_ = true;
  return !ended_;
}

int Child::wait() {
  while (!ended_) {
    const pid_t done = waitpid(id_, &status_, 0);
    if (done == id_ || errno != EINTR) ended_ = true;
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
}

std::string Child::output() const {
  return read_file(log_);
}

}  // namespace equiframe::training_test
