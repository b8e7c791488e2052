#include "standard_streams.h"

#include <csignal>
#include <cstdio>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

#include "equiframe/core/error.h"

namespace equiframe::app {

void guard_standard_streams() {
  // Each for the direction that it is not used in. The lowest free number is the one that is given.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // NOLINT(*-unused-return*)
  std::signal(SIGXFSZ, SIG_IGN);
}

void require_printed() {
  std::cout.flush();
  std::fflush(stdout);
  if (std::cout && std::ferror(stdout) == 0) return;
  const bool closed = (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY;
  throw UserError(closed ? "standard output is closed and what was printed is lost; send it to a "
                           "file or to /dev/null"
                         : "cannot write to standard output; is the disk full?");
}

}  // namespace equiframe::app
