#pragma once

#include <vector>

#include "equiframe/audit/audit.h"

namespace equiframe::audit {

/// What the measurements mean. None for a model that keeps its promises.
std::vector<Finding> find_faults(const AuditResult& result);

}  // namespace equiframe::audit
