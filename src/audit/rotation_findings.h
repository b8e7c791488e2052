// What is wrong with translations, rotations and reflections.
#pragma once

#include <vector>

#include "equiframe/audit/audit.h"

namespace equiframe::audit {

void find_broken_parts(const AuditResult& result, std::vector<Finding>& findings);

}  // namespace equiframe::audit
