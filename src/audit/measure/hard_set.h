#pragma once

#include <vector>

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Whether relabelling the nodes counts: not for models that take them in order.
enum class Relabelling { kJudged, kIgnored };

/// Symmetric solids, planar, collinear, coincident, one point, tied extents, far from the origin,
/// NaN; for S_n graphs with symmetries.
std::vector<HardCase> measure_hard_set(const Subject& subject, Relabelling relabelling,
                                       const MeasureOptions& options = {});

RepeatedEigenvalue measure_repeated_eigenvalue(const Subject& subject,
                                               const MeasureOptions& options = {});

}  // namespace equiframe::audit
