// A picture of the largest error.
#pragma once

#include <vector>

#include "equiframe/audit/audit.h"
#include "report/svg.h"

namespace equiframe::audit {

/// The worst case of the claimed symmetry with the largest error; none if all are exact or the
/// inputs have no places to draw.
std::vector<report::Svg> worst_case_drawings(const AuditResult& result);

}  // namespace equiframe::audit
