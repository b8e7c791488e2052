// The numbers of the networks for normals that their tensors, for training in parts, and their
// kernels share. Trained weights hold for these and no others.
#pragma once

namespace equiframe::kernels::inline normals {

/// fa-patch. Lengths are in units of the weighted patch's extent, or of its radius where the extent
/// itself is meant.
struct PatchConstants {
  static constexpr double kReach = 4;         ///< places are softly limited to it
  static constexpr double kBand = 0.02;       ///< heights are compared with the scatter and this
  static constexpr double kMinExtent = 1e-6;  ///< also of the second axis
  static constexpr double kMinShare = 1e-3;   ///< before the logarithm of a scatter over an extent
  static constexpr double kRim = 1e-3;      ///< of all weight, spread evenly before the first stage
  static constexpr double kHeavy = 8;       ///< weights, in means, are softly limited to it
  static constexpr double kLogitLimit = 8;  ///< logits are told from the largest down to this
  static constexpr double kStiffnessLimit = 8, kUsualStiffness = 3;  ///< logarithms
};

/// normal-votes. Lengths are in units of the spacing around the point.
struct VoteConstants {
  static constexpr double kBell = 0.3;       ///< logits fall with the distance by this
  static constexpr double kMinShare = 1e-3;  ///< before a logarithm
  static constexpr double kUsualPlane = -2, kMaxPlane = 8;  ///< logarithms: how much places count
  static constexpr double kMinTrace = 1e-12;
};

}  // namespace equiframe::kernels::inline normals
