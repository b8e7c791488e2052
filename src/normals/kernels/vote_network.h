#pragma once

#include <cstdint>
#include <vector>

#include "nn/kernels/perceptron.h"
#include "simd/table.h"

/// The network `normal-votes` on one point after the other: the same numbers as the model gives,
/// without a tensor in between. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// Two layers of each voter, the first with a share of the patch's own numbers; their maxima and
/// means and those numbers through two more; two scores of each voter from both.
template <class T>
struct VoteRoundWeights {
  DenseLayer<T> own, patch, second;
  DenseLayer<T> pooled[2];
  DenseLayer<T> score;
};

template <class T>
struct VoteNetwork {
  std::vector<VoteRoundWeights<T>> rounds;
};

/// Points of one cloud with `count` voters each, lengths in units of each patch.
template <class T>
struct VotePatches {
  std::int64_t patches, count;
  const T* offsets;   ///< [patches, count, 3]
  const T* normals;   ///< [patches, count, 3]
  const T* told;      ///< [patches, count, kToldNumbers], see vote_features.h
  const T* own;       ///< [patches, 3], normals of the points
  const T* own_told;  ///< [patches, kToldNumbers]
  const T* cloud;     ///< [kCloudFeatures], see patch_features.h
};

/// `elected` [patches, 3], unit, of any sign.
template <class T>
void vote_normals(const VoteNetwork<T>& network, const VotePatches<T>& patches, T* elected);

template <class T>
struct VoteFunctions {
  decltype(&vote_normals<T>) normals;
};
using VoteKernels = BothPrecisions<VoteFunctions>;

}  // namespace equiframe::kernels::inline normals
