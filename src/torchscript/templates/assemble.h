// The text around a backbone becomes a module.
#pragma once

#include <functional>

#include "torchscript/call_plan.h"

namespace equiframe::inline torchscript {

/// The bytes that forward takes for each number of the first typed argument.
using Measure = std::function<double(const CallPlan&, const Axes&)>;

/// The wrapped model, not yet tried; `measure` is asked once all words of the options are
/// understood.
WrappedModel assemble(const ScriptModel& model, const WrapOptions& options, const Measure& measure);

}  // namespace equiframe::inline torchscript
