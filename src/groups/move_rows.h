// Points and vectors moved by one affine map for each item, in one pass over the memory.
#pragma once

#include "equiframe/groups/field_type.h"

namespace equiframe::inline groups {

enum class Direction { kForward, kInverse };

/// Whether `move_rows` can do it: fields of points, vectors and scalars, not scalars alone, floats
/// in main memory, and linear parts that nobody differentiates.
bool can_move_rows(const FieldType& rho, const AffineMap& map, const Tensor& x);

/// rho(R, t) x or rho(R, t)^-1 x for x [*batch, M, C] and maps [*batch, ...]; axes of size one of
/// x's batch are repeated. Differentiable in x and t as often as wanted.
Tensor move_rows(const FieldType& rho, int64_t dim, const AffineMap& map, const Tensor& x,
                 Direction direction);

}  // namespace equiframe::inline groups
