#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "equiframe/datasets/cad_set.h"
#include "io/bytes/manifest.h"
#include "normals/learned/normal_estimator.h"

/// Points of noisy clouds with normals to choose among: what `normal-choice` learns from. Files:
/// rows.npy, normals.npy and a manifest.
namespace equiframe::inline datasets {

/// Of each cloud the Q points nearest to a random one.
struct ChoiceSet {
  Tensor rows;              ///< [M, Q, kernels::kChoiceChannels] float32
  Tensor normals;           ///< [M, Q, 3] float32, of the surface
  std::string description;  ///< how they were made
};

struct ChoiceSetOptions {
  int64_t clouds = 6000;  ///< as many of each shape, in their order
  int64_t points = 64;    ///< of each cloud
  uint64_t seed = 1;
};

/// `network` is `fa-patch` and, if they are to be bettered, votes. `done` is called with the number
/// of clouds done. Throws UserError for shapes with too few points.
ChoiceSet make_choices(const CadSet& shapes, const NormalEstimator& network,
                       const ChoiceSetOptions& options,
                       const std::function<void(int64_t done)>& done = nullptr);

/// Writes into an existing folder.
Manifest write_choices(const std::filesystem::path& folder, const ChoiceSet& set);

/// Throws UserError that says which file is missing or which shapes disagree.
ChoiceSet read_choices(const std::filesystem::path& folder);

}  // namespace equiframe::inline datasets
