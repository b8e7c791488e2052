#pragma once

#include "equiframe/groups/group.h"

namespace equiframe::inline averaging {

/// What a map should be equivariant to: f(rho_in(g) x) = rho_out(g) f(x) for all g in the group.
template <Group G>
struct Symmetry {
  G group;
  typename G::Representation in;
  typename G::Representation out;
};

/// Frames of the left rule F(gX) = gF(X) frame the input by g^-1 and bring the output back by g;
/// frames of the right rule F(gX) = F(X)g^-1 (Eq. 4) do the opposite (Eq. 5).
enum class FrameSide { kLeft, kRight };

}  // namespace equiframe::inline averaging
