#include "child_pool.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe::app {
namespace {

/// What happens between fork and exec: system calls only, for other threads held locks.
[[noreturn]] void become(char** arguments, int log, pid_t owner) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != owner) _exit(127);  // it died before we asked
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv("/proc/self/exe", arguments);
  _exit(127);
}

}  // namespace

ChildPool::~ChildPool() {
  interrupt();
  while (running() > 0) wait(1);
}

void ChildPool::start(size_t id, std::vector<std::string> arguments,
                      const std::filesystem::path& log) {
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    throw UserError("cannot write '" + log.string() + "': " + std::strerror(errno) +
                    "; choose another folder with --out");
  arguments.insert(arguments.begin(), "equiframe");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t owner = getpid();
  const pid_t process = fork();
  if (process == 0) become(pointers.data(), file, owner);
  const int reason = errno;
  close(file);
  if (process < 0)
    throw UserError(std::string("cannot start another process: ") + std::strerror(reason));
  children_.push_back({id, process});
}

std::optional<ChildPool::Ended> ChildPool::collect() {
  for (auto child = children_.begin(); child != children_.end(); ++child) {
    int status = 0;
    if (waitpid(child->process, &status, WNOHANG) != child->process) continue;
    const Ended ended{child->id, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    children_.erase(child);
    return ended;
  }
  return std::nullopt;
}

std::optional<ChildPool::Ended> ChildPool::wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kNap = std::chrono::milliseconds(50);
  const auto start = Clock::now();
  while (true) {
    if (const auto ended = collect()) return ended;
    if (running() == 0 || std::chrono::duration<double>(Clock::now() - start).count() >= seconds)
      return std::nullopt;
    std::this_thread::sleep_for(kNap);
  }
}

void ChildPool::interrupt() {
  if (interrupted_) return;
  interrupted_ = true;
  for (const Child& child : children_) kill(child.process, SIGINT);
}

}  // namespace equiframe::app
