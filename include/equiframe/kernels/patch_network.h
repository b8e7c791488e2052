#pragma once

#include <cstdint>
#include <vector>

#include "equiframe/kernels/perceptron.h"

/// The network `fa-patch` on one patch after the other, with all that it does between its layers:
/// the same numbers as the model gives in `eval()`, without a tensor in between. The flips of a
/// frame share the part of the first layer that they cannot change. Plain C++20, no LibTorch.
namespace equiframe::kernels {

/// A perceptron of two layers for each point, its maxima and means over the patch through another
/// one, and, for all stages but the last, a score of each point from both.
template <class T>
struct PatchStage {
  DenseLayer<T> own[2];
  DenseLayer<T> pooled[2];
  DenseLayer<T> score{nullptr, nullptr};  ///< [1, width]
};

template <class T>
struct PatchNetwork {
  std::vector<PatchStage<T>> stages;  ///< that weigh points
  PatchStage<T> normal;               ///< that gives two slopes against the weighted plane
};

struct PatchNormal {
  double normal[3];    ///< unit; along z if all points of the patch are one
  double agreement;    ///< of the frame's elements: the largest eigenvalue of the mean of n n^T, in
                       ///< 1/3..1
  double variance[3];  ///< of the weighted patch along its axes, ascending; its radius is 1
};

/// `offsets` [patches, count, 3] from the query to its neighbours, nearest first.
template <class T>
void patch_normals(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, PatchNormal* normals);

}  // namespace equiframe::kernels
