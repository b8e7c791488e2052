#pragma once

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

/// Whether an answer depends on anything but its own input.
namespace equiframe::audit {

BatchChecks measure_batch(const Subject& subject, const Inputs& inputs,
                          const MeasureOptions& options = {});

/// Numbers up to four times the `usual` one; larger ones are left out once it has taken long.
OrderChecks measure_order(const Subject& subject, int64_t usual,
                          const MeasureOptions& options = {});

}  // namespace equiframe::audit
