#pragma once

/// One shared set of law functions: tests, `equiframe check` and reports all use these numbers, and
/// they are installed, so that a group or frame of your own gets the same suite.
#include <c10/core/ScalarType.h>

#include "equiframe/laws/frame_laws.h"
#include "equiframe/laws/group_laws.h"
#include "equiframe/laws/zoo.h"

namespace equiframe::inline laws {

/// Relative errors that rounding explains, by the type the model runs in.
struct Tolerance {
  double float64;
  double float32;
  double of(c10::ScalarType type) const {
    return type == c10::ScalarType::Float ? float32 : float64;
  }
};

inline constexpr Tolerance kGroupTolerance{1e-13, 1e-6};    ///< algebra of elements
inline constexpr Tolerance kAverageTolerance{1e-12, 1e-5};  ///< averaged random networks
inline constexpr Tolerance kExactTolerance{0.0, 0.0};       ///< permutations move, never compute
inline constexpr double kStandardErrors = 5.0;              ///< statistical laws, in sigmas

}  // namespace equiframe::inline laws
