#include "io/helper/helper_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <c10/util/StringUtil.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "equiframe/core/error.h"
#include "io/helper/solid_protocol.h"

namespace equiframe::inline io {
namespace {

/// Starts the program with this end of a connection as its standard input and output.
pid_t spawn(const std::filesystem::path& program, int connection) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, connection, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, connection, STDOUT_FILENO);
  std::string name = program.filename().string();
  char* arguments[] = {name.data(), nullptr};
  pid_t process = 0;
  const int error = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw UserError(c10::str("cannot run '", program.string(), "': ", std::strerror(error)));
  return process;
}

}  // namespace

HelperProcess::HelperProcess(const std::filesystem::path& program) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UserError(c10::str("cannot connect to another process: ", std::strerror(errno)));
  connection_ = ends[0];
  try {
    process_ = spawn(program, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
}

HelperProcess::~HelperProcess() {
  close(connection_);
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  exit_code();
}

std::optional<std::string> HelperProcess::ask(const std::string& question) {
  std::string answer;
  if (!cad::send_message(connection_, question) || !cad::receive_message(connection_, answer))
    return std::nullopt;
  return answer;
}

int HelperProcess::exit_code() {
  int status = 0;
  pid_t done = 0;
  do {
    done = waitpid(process_, &status, 0);
  } while (done < 0 && errno == EINTR);
  process_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace equiframe::inline io
