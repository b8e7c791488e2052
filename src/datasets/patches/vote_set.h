#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "equiframe/datasets/cad_set.h"
#include "io/bytes/manifest.h"
#include "normals/learned/normal_estimator.h"

/// Parts of noisy clouds with the normals that `fa-patch` gives them: what `normal-votes` learns
/// from. Files: points.npy, normals.npy, found.npy, told.npy, clouds.npy and a manifest.
namespace equiframe::inline datasets {

/// Of each cloud the R points nearest to a random one, which is the first.
struct VoteSet {
  Tensor points;            ///< [M, R, 3] float32, nearest to the first one first, relative to it
  Tensor normals;           ///< [M, R, 3] float32, of the surface
  Tensor found;             ///< [M, R, 3] float32, of the network
  Tensor point_stats;       ///< [M, R, kPointStats] float32
  Tensor clouds;            ///< [M, kCloudFeatures] float32
  std::string description;  ///< how they were made
};

struct VoteSetOptions {
  int64_t clouds = 3000;  ///< as many of each shape, in their order
  int64_t points = 1000;  ///< of each part
  uint64_t seed = 1;
};

/// `done` is called with the number of clouds done. Throws UserError for shapes with too few
/// points.
VoteSet make_votes(const CadSet& shapes, const NormalEstimator& network,
                   const VoteSetOptions& options,
                   const std::function<void(int64_t done)>& done = nullptr);

/// Writes into an existing folder.
Manifest write_votes(const std::filesystem::path& folder, const VoteSet& set);

/// Throws UserError that says which file is missing or which shapes disagree.
VoteSet read_votes(const std::filesystem::path& folder);

}  // namespace equiframe::inline datasets
