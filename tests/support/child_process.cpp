#include "tests/support/child_process.h"

#include <array>
#include <fstream>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace equiframe::test_support {
namespace {

std::vector<std::string> child_environment(const std::vector<std::string>& variables) {
  std::vector<std::string> result = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const bool ours = text.rfind("OPENBLAS_", 0) == 0 || text.rfind("EQUIFRAME_BLAS", 0) == 0 ||
                      text.rfind("OMP_NUM_THREADS=", 0) == 0 || text.rfind("GTEST_", 0) == 0;
    if (!ours) result.push_back(text);
  }
  result.emplace_back("EQUIFRAME_TEST_KERNEL=as-loaded");
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

ChildResult run_child_test(const std::string& name, const std::vector<std::string>& variables) {
  std::vector<std::string> arguments{"/proc/self/exe", "--gtest_filter=" + name,
                                     "--gtest_also_run_disabled_tests"};
  std::vector<std::string> environment = child_environment(variables);
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0].c_str(), &actions, nullptr,
                                 pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  ChildResult result;
  if (failed == 0) {
    result.output = read_all(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  }
  close(pipe_ends[0]);
  return result;
}

char** own_arguments() {
  static std::vector<std::string> arguments = [] {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> read;
    for (std::string argument; std::getline(in, argument, '\0');) read.push_back(argument);
    return read;
  }();
  static std::vector<char*> array = pointers(arguments);
  return array.data();
}

}  // namespace equiframe::test_support
