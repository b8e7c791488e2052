#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "normals/learned/normal_estimator.h"

namespace equiframe::app {

/// Files of the networks behind `equiframe normals`.
struct NormalNetworkFiles {
  std::filesystem::path patches;  ///< empty = the one that comes with the program
  /// Empty = the one that comes with the program if `patches` is that too, otherwise none;
  /// "none" = none.
  std::filesystem::path votes;
  std::filesystem::path choice;  ///< likewise
};

/// Throws UserError if weights that should come with the program are not there.
NormalEstimator load_normal_network(const NormalNetworkFiles& files);

/// The networks that come with the program, if they are there, and their files in words.
std::optional<NormalEstimator> shipped_normal_network();
std::string shipped_normal_network_name();

}  // namespace equiframe::app
