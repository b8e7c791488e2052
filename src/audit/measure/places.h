// The coordinates among the inputs of a Euclidean subject, which hard inputs are made of.
#pragma once

#include <optional>

#include "audit/measure/symmetry_errors.h"

namespace equiframe::audit {

/// The first field of points, or of vectors where there are no points.
struct Places {
  size_t slot = 0;
  int64_t channel = 0;
};
std::optional<Places> find_places(const Typing& typing);

/// [B, N, d]; a slot without nodes has N = 1.
Tensor places_of(const Typing& typing, const Inputs& inputs);
Inputs with_places(const Typing& typing, const Inputs& inputs, const Tensor& places);

/// One item whose points are `cloud` [N, d], with attributes that share its symmetry: vectors are
/// multiples of the position relative to the centroid, scalars the distance to it.
Inputs cloud_inputs(const Subject& subject, const Tensor& cloud);

/// The coordinates of a centred cloud along its principal axes, each scaled to extent one, and the
/// axes: x = c + (unit * extents) axes^T.
struct Whitened {
  Tensor unit;    // [N, d]
  Tensor axes;    // [d, d], columns
  Tensor centre;  // [d]
};
Whitened whiten(const Tensor& cloud);

}  // namespace equiframe::audit
