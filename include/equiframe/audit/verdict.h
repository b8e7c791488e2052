#pragma once

#include <string>
#include <vector>

#include "equiframe/audit/symmetry_errors.h"

namespace equiframe::audit {

/// Errors relative to the largest answer. kExact32 judges models that run in float32 only.
inline constexpr double kExact64 = 1e-9;
inline constexpr double kExact32 = 1e-4;
inline constexpr double kApproximateError = 1e-2;

enum class Word {
  kExact,        ///< largest error at most kExact64: rounding
  kApproximate,  ///< at most kApproximateError
  kBroken,       ///< more
  kNotFinite,    ///< answers are NaN or infinite: there is nothing to compare
  kNotMeasured   ///< nothing in this model moves
};

struct Verdict {
  Part part = Part::kTranslation;
  Word word = Word::kNotMeasured;
  bool claimed = false;
  double error = 0;  ///< the largest in float64, in float32 where that is all
  /// "exact", "broken", "not claimed", "holds, not claimed", "not finite", "not measured"
  std::string text;
};
Verdict judge(const SymmetryErrors& errors);

/// Whether float32 is worse than rounding explains, kRoundings of `rounding32`.
bool exceeds_rounding(const SymmetryErrors& errors);

/// One thing of `--require "rotation, translation<1e-5, permutation"`.
struct Requirement {
  /// A part, "gradient", "batch", "continuity", "hard", "all" (parts that are claimed) or "sound"
  /// (no fault found).
  std::string name;
  double limit = -1;  ///< largest error allowed in float32 and float64; negative = exact
  std::string text;   ///< as it was written
};
/// Throws UserError that names what can be required.
std::vector<Requirement> parse_requirements(const std::string& text);

}  // namespace equiframe::audit
