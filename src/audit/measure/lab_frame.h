#pragma once

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

/// What kind of dependence on the laboratory's axes a model has.
namespace equiframe::audit {

LabFrame measure_lab_frame(const Subject& subject, const Inputs& inputs,
                           const MeasureOptions& options = {});

}  // namespace equiframe::audit
