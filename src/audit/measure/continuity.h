#pragma once

#include <vector>

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Paths x(t), t in -1 .. 1, of the subject's points; the step that changes the answer most is
/// halved again and again, so that a steep model is told from one that jumps.
std::vector<PathJump> measure_continuity(const Subject& subject, const Inputs& inputs,
                                         const MeasureOptions& options = {});

}  // namespace equiframe::audit
