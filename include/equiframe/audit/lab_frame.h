#pragma once

#include "equiframe/audit/symmetry_errors.h"

/// What kind of dependence on the laboratory's axes a model has.
namespace equiframe::audit {

struct LabFrame {
  bool measured = false;
  /// How many different answers f gives to the rotations of one input, turned back. Few of many: a
  /// choice is made by the laboratory's axes. One: equivariant.
  int64_t distinct = 0;
  int64_t rotations = 0;
  /// The best constant b in f(gx) - g f(x) = (1 - R) b for vector results, and how much of the
  /// error it leaves unexplained, 0 .. 1.
  Tensor bias;  ///< [vectors, d]; undefined = no vector or point among the results
  double unexplained = 1;
  /// Largest vector in the answer to an input without any direction, all points at the origin and
  /// all vectors zero, relative to its usual size; NaN if the model does not answer there.
  double from_nothing = 0;
};

LabFrame measure_lab_frame(const Subject& subject, const Inputs& inputs,
                           const MeasureOptions& options = {});

}  // namespace equiframe::audit
