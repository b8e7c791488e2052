#pragma once

#include <vector>

#include "geometry/search/neighbors.h"
#include "normals/kernels/choice_features.h"
#include "normals/learned/vote_rows.h"

/// What the model `normal-choice` is given: normals of a point from small and large neighbourhoods.
namespace equiframe::inline normals {

/// How smooth a cloud is, from the neighbourhoods of some of its points, spread evenly over its
/// rows: [kernels::kSmoothnessNumbers].
std::vector<float> smoothness_of(const NeighborBlocks& search);

/// Rows of the points of a block, [count, kernels::kChoiceChannels], of their nearest
/// kernels::kSurfaceNeighbors in any order. `voted` [N, 3] float32 are the normals to be bettered.
std::vector<float> choice_rows(const NeighborBlock& block, const FirstNormals& first,
                               const Tensor& voted, const std::vector<float>& smoothness);

}  // namespace equiframe::inline normals
