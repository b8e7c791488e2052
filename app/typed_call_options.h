#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "equiframe/torchscript/script_model.h"

namespace equiframe::app {

/// How the user says what goes into a model and what comes out.
struct CallWords {
  std::string group;
  std::vector<std::string> in, out;
  std::string mask;
  int64_t batch_axis = 0, point_axis = 1;
};

/// --group, --in, --out, --mask, --batch-axis, --point-axis.
void add_call_options(CLI::App& command, CallWords& words);

/// Throws UserError with an example if group, in or out are missing; `command` is its name.
TypedCall typed_call(const CallWords& words, const std::string& command);

}  // namespace equiframe::app
