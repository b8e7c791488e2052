#pragma once

#include <cstdint>

#include "equiframe/data/point_cloud.h"
#include "equiframe/report/svg.h"

namespace equiframe {

/// A square picture of a mesh about the unit ball, `size` pixels wide.
report::Picture mesh_picture(const PointCloud& mesh, int64_t size);

}  // namespace equiframe
