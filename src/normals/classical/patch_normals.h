// Normals of many neighbourhoods at once.
#pragma once

#include <cstdint>
#include <vector>

#include "normals/classical/classical_normals.h"

namespace equiframe::inline normals {

struct PatchNormals {
  std::vector<double> normals;    // [count, 3]
  std::vector<double> variation;  // [count]
  std::vector<char> degenerate;   // [count]
};

/// `offsets` [count, k, 3] from each point to its neighbours.
PatchNormals patch_normals(const double* offsets, int64_t count, int64_t k, NormalFit fit);

/// Principal axes of a neighbourhood: column j of `axes` [3, 3] belongs to the j-th least variance.
/// Returns whether a quadratic height function over the plane of the last two was found; `normal`
/// is then its normal at the origin.
bool jet_normal(const double* offsets, int64_t k, const double* axes, double* normal);

}  // namespace equiframe::inline normals
