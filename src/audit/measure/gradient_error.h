#pragma once

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

GradientError measure_gradient(const Subject& subject, const Inputs& inputs,
                               const MeasureOptions& options = {});

}  // namespace equiframe::audit
