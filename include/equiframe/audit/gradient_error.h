#pragma once

#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Directional derivatives of the summed results by autograd against central differences, float64.
/// Directions in which two step sizes disagree (kinks, jumps) are left out.
struct GradientError {
  bool measured = false;
  std::string reason;  ///< why not
  double median = 0;   ///< |autograd - differences| / the typical derivative
  double max = 0;
  int64_t directions = 0;  ///< that were compared
  int64_t left_out = 0;
};
GradientError measure_gradient(const Subject& subject, const Inputs& inputs,
                               const MeasureOptions& options = {});

}  // namespace equiframe::audit
