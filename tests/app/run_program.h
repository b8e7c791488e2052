#pragma once

#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace equiframe::app_test {

struct Outcome {
  int code = -1;    // -1: did not exit by itself
  std::string out;  // standard output and error together
};

/// `equiframe ARGUMENTS` run by the shell, which also sees `environment` ("NAME=value") before it
/// and `redirection` after it.
inline Outcome run_program(const std::string& arguments, const std::string& environment = "",
                           const std::string& redirection = "2>&1") {
  Outcome result;
  const std::string command =
      environment + " " + EQUIFRAME_PROGRAM + " " + arguments + " " + redirection;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> buffer{};
  size_t count = 0;
  while ((count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
    result.out.append(buffer.data(), count);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace equiframe::app_test
