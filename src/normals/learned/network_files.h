#pragma once

#include <memory>
#include <optional>
#include <string>

#include "equiframe/normals/estimate.h"
#include "normals/learned/normal_estimator.h"

namespace equiframe::inline normals {

/// Throws UserError if weights that should come with the program are not there.
NormalEstimator load_normal_networks(const NormalNetworkFiles& files);

/// The same, kept in the process for the next call with these files, as long as they do not change.
std::shared_ptr<const NormalEstimator> kept_normal_networks(const NormalNetworkFiles& files);

/// The networks that come with the program, if they are there, and their files in words.
std::optional<NormalEstimator> shipped_normal_networks();
std::string shipped_normal_networks_name();

}  // namespace equiframe::inline normals
