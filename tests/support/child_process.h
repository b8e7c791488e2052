#pragma once

#include <string>
#include <vector>

namespace equiframe::test_support {

struct ChildResult {
  int exit_code = -1;  ///< -1 if it was ended by a signal or could not be started
  std::string output;  ///< standard output and error
};

/// Runs the disabled test `name` of this very program in a process of its own, whose environment
/// has every variable that this module reads cleared and `variables` ("NAME=value") added. OpenBLAS
/// chooses its kernel at load time, so an environment can be tried in a fresh process only; that
/// kernel is left in place.
ChildResult run_child_test(const std::string& name, const std::vector<std::string>& variables);

/// The arguments this process was started with; the array ends with null and lives on.
char** own_arguments();

}  // namespace equiframe::test_support
