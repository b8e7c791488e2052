// Trying a model on random arguments before it is wrapped.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "torchscript/call_plan.h"

namespace equiframe::inline torchscript {

/// Runs the model on `probe` and compares the shapes with the types. Returns the bytes that
/// forward takes for each number of the first typed argument.
double check_probe(const ScriptModel& model, const CallPlan& plan, const Axes& axes,
                   const WrapOptions& options, const std::vector<Tensor>& probe);

/// "x [3, 16, 3], mask [3, 16]".
std::string describe(const std::vector<Tensor>& arguments);

}  // namespace equiframe::inline torchscript
