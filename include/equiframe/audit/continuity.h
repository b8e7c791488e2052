#pragma once

#include <string>
#include <vector>

#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// The largest jump of the answer along a straight path through a degenerate input.
struct PathJump {
  std::string name;          ///< "two extents cross", "through a plane", ...
  double input_change = 0;   ///< over the last step, relative to the size of the input
  double jump = 0;           ///< of the answer over that step, relative to its largest
  double position = 0;       ///< where on the path, -1 .. 1, the degenerate input at 0
  std::string refused = {};  ///< what the model said where it did not answer
  bool is_jump() const;
};

/// Paths x(t), t in -1 .. 1, of the subject's points; the step that changes the answer most is
/// halved again and again, so that a steep model is told from one that jumps.
std::vector<PathJump> measure_continuity(const Subject& subject, const Inputs& inputs,
                                         const MeasureOptions& options = {});

}  // namespace equiframe::audit
