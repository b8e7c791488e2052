#pragma once

#include <filesystem>

#include "equiframe/models/normal_estimator.h"

namespace equiframe::app {

/// What comes with the program, in words.
inline constexpr const char* kShippedNetwork =
    "models/normals-fa-patch.safetensors and models/normals-votes.safetensors";

/// Files of the networks behind `equiframe normals`.
struct NormalNetworkFiles {
  std::filesystem::path patches;  ///< empty = the one that comes with the program
  /// Empty = the one that comes with the program if `patches` is that too, otherwise none;
  /// "none" = none.
  std::filesystem::path votes;
};

/// Where `files` are found, and as what they are recorded. Throws UserError if weights that should
/// come with the program are not there.
NormalNetworkFiles find_network_files(const NormalNetworkFiles& files);

NormalEstimator load_normal_network(const NormalNetworkFiles& files = {});

}  // namespace equiframe::app
