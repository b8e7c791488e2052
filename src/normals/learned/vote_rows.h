#pragma once

#include <vector>

#include "geometry/search/neighbors.h"
#include "normals/kernels/patch_features.h"
#include "normals/kernels/vote_features.h"
#include "normals/kernels/vote_network.h"

/// What the model `normal-votes` is given: neighbours that have a normal already.
namespace equiframe::inline normals {

/// Points that vote on the normal of one, itself among them.
inline constexpr int64_t kVoters = 64;

/// What is known of a point beside its normal: kernels::vote_features says what.
inline constexpr int64_t kPointStats = kernels::kToldNumbers;

/// A first opinion on the points of a cloud.
struct FirstNormals {
  Tensor normals;      ///< [N, 3] float32, of any sign
  Tensor point_stats;  ///< [N, kPointStats] float32, lengths as in the cloud
  Tensor cloud;        ///< [kCloudFeatures] float32
};

/// Channels of a voter: its offset and its normal, the normal of the point they vote on, its
/// stats, those of the point, and the numbers of the cloud.
inline constexpr int64_t kVoteVectors = 3;
inline constexpr int64_t kVoteScalars = 2 * kPointStats + kernels::kCloudFeatures;
inline constexpr int64_t kVoteChannels = 3 * kVoteVectors + kVoteScalars;

/// The points of a block with what their voters bring, as the kernel and as the model take it.
/// Lengths are in units of the root mean square distance of the nearest 16.
class VoteArrays {
 public:
  /// `first` must outlive it.
  VoteArrays(const NeighborBlock& block, const FirstNormals& first);

  kernels::VotePatches<float> patches() const;
  /// [count, k, kVoteChannels] float32.
  Tensor rows() const;

 private:
  int64_t count_, k_;
  std::vector<float> offsets_, normals_, point_stats_, own_, own_stats_;
  const float* cloud_;
};

}  // namespace equiframe::inline normals
