#pragma once

#include <optional>

#include "equiframe/io/point_cloud.h"
#include "normals/orientation/orientation.h"

namespace equiframe::inline normals {

/// How many points of the cloud may be searched at a time within `max_memory` bytes (0 = most of
/// what is free), or nothing if all may. Throws UserError if the cloud and its normals alone exceed
/// them, or if `rule` needs the whole cloud at once.
std::optional<int64_t> tile_size(const PointCloud& cloud, int64_t max_memory, Orientation rule);

}  // namespace equiframe::inline normals
