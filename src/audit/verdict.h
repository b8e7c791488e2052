#pragma once

#include "equiframe/audit/audit.h"

namespace equiframe::audit {

Verdict judge(const SymmetryErrors& errors);

/// Whether float32 is worse than rounding explains, kRoundings of `rounding32`.
bool exceeds_rounding(const SymmetryErrors& errors);

}  // namespace equiframe::audit
