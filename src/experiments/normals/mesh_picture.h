#pragma once

#include <cstdint>

#include "equiframe/io/point_cloud.h"
#include "report/svg.h"

namespace equiframe::inline experiments {

/// A square picture of a mesh about the unit ball, `size` pixels wide.
report::Picture mesh_picture(const PointCloud& mesh, int64_t size);

}  // namespace equiframe::inline experiments
