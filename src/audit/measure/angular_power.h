#pragma once

#include "equiframe/audit/measurements.h"
#include "equiframe/audit/subject.h"
#include "equiframe/audit/symmetry_errors.h"

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

AngularPower measure_angular_power(const Subject& subject, const Inputs& inputs, int64_t order,
                                   const MeasureOptions& options = {});

AngleErrors measure_angle_errors(const Subject& subject, const Inputs& inputs,
                                 const MeasureOptions& options = {});

}  // namespace equiframe::audit
