#pragma once

#include "equiframe/training/run.h"

namespace equiframe::inline training {

/// result.json: the numbers of a finished run and where they come from.
std::string result_json(const RunRequest& request, const RunResult& result);

}  // namespace equiframe::inline training
