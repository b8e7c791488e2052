#pragma once

#include <vector>

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"

namespace equiframe::audit {

/// Each item [N, C] of the type of the first typed argument of a Euclidean subject.
Census take_census(const Typing& typing, const std::vector<Tensor>& items);

}  // namespace equiframe::audit
