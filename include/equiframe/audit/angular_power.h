#pragma once

#include <vector>

#include "audit/measure/symmetry_errors.h"

namespace equiframe::audit {

/// A rule over SO(3): Gauss-Legendre in cos(beta), equally spaced alpha and gamma. Integrates
/// products of two functions of angular order up to `order` exactly.
struct RotationRule {
  Tensor rotations;  ///< [K, 3, 3] float64
  Tensor weights;    ///< [K], sum one
};
RotationRule rotation_rule(int64_t order);
/// The same over SO(2): 2 order + 1 equal steps.
RotationRule planar_rotation_rule(int64_t order);

/// The variance of g -> rho_out(g)^-1 f(rho_in(g) x) by angular order (Peter-Weyl): all at order 0
/// for an equivariant model, order 1 for a constant vector that does not turn with the input, high
/// orders for anything with jumps. In shares of the whole, mean over the items.
struct AngularPower {
  bool measured = false;      ///< dimensions 2 and 3 only
  std::vector<double> share;  ///< [order + 1]
  double above = 0;           ///< what is beyond the last order
  int64_t evaluations = 0;    ///< of the model, for each item
};
AngularPower measure_angular_power(const Subject& subject, const Inputs& inputs, int64_t order,
                                   const MeasureOptions& options = {});

/// Errors of rotations by growing angles about random axes, in float64 (float32 where that is all).
struct AngleErrors {
  std::vector<double> degrees;
  std::vector<double> median, max;  ///< [angles]
};
AngleErrors measure_angle_errors(const Subject& subject, const Inputs& inputs,
                                 const MeasureOptions& options = {});

}  // namespace equiframe::audit
