#pragma once

#include <string>
#include <vector>

#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// What a model does with one input that is known to be hard.
struct HardCase {
  enum class Outcome {
    kHolds,         ///< answers, and the claimed symmetries hold
    kBreaks,        ///< answers, and they do not
    kNotFinite,     ///< answers NaN or infinity to finite input
    kRefuses,       ///< throws, with `message`
    kSilentlyWrong  ///< answers finite numbers to NaN
  };
  std::string name;   ///< "cube", "planar", "one point", ...
  std::string group;  ///< "symmetric", "flat", "far", "few", "not finite"
  int64_t nodes = 0;
  Outcome outcome = Outcome::kHolds;
  double rotation = 0;     ///< largest error of the claimed linear part, float64
  double translation = 0;  ///< of shifts, if claimed
  double permutation = 0;  ///< of relabelling, if it holds on ordinary inputs
  std::string message = {};
};
const char* to_string(HardCase::Outcome outcome);

/// Whether relabelling the nodes counts: not for models that take them in order.
enum class Relabelling { kJudged, kIgnored };

/// Symmetric solids, planar, collinear, coincident, one point, tied extents, far from the origin,
/// NaN; for S_n graphs with symmetries.
std::vector<HardCase> measure_hard_set(const Subject& subject, Relabelling relabelling,
                                       const MeasureOptions& options = {});

/// A graph without symmetry that has a repeated Laplacian eigenvalue, against one that has none but
/// is otherwise alike: whether multiplicities are taken by equality of rounded numbers.
struct RepeatedEigenvalue {
  bool measured = false;
  double with_distinct = 0;  ///< error of relabelling
  double with_repeated = 0;
};
RepeatedEigenvalue measure_repeated_eigenvalue(const Subject& subject,
                                               const MeasureOptions& options = {});

}  // namespace equiframe::audit
