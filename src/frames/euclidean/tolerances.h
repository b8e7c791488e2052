// When frames of clouds hold numbers for equal or for zero. The TorchScript of wrapped models is
// made with these numbers too (torchscript/templates).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <c10/core/ScalarType.h>

namespace equiframe::inline frames {

/// By the type of the input, whatever the frame computes in.
struct CloudTolerance {
  double gap;        ///< eigenvalues closer than this share of the largest tie
  double rank;       ///< eigenvalues below this share of the largest are zero
  double invariant;  ///< invariants of the frame `minimal` closer than this tie
};

/// The gap is the square root of the type's rounding unit.
inline CloudTolerance cloud_tolerance(c10::ScalarType input) {
  if (input == c10::ScalarType::Float) return {std::sqrt(1.2e-7), 1e-12, 2e-5};
  return {std::sqrt(2.2e-16), 1e-14, 1e-9};
}

/// A cloud whose extent is this share of its centre's largest coordinate, or less, is one point:
/// its extent may be rounding. pca looks at the root of the largest eigenvalue, minimal at the
/// largest distance from the centre.
inline constexpr double kPcaRounding = 16 * std::numeric_limits<double>::epsilon();
inline constexpr double kMinimalRounding = 16 * 1e-15;

/// In tolerances of an invariant: a shorter residual adds no dimension to a basis; bases this close
/// are one, since their rows differ by their points' rounding over the residual's length.
inline constexpr double kShortResidual = 100, kSameBasis = 10;

/// More tied bases are refused.
inline constexpr int64_t kMaxTiedBases = 4096;

}  // namespace equiframe::inline frames
