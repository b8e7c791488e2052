// Colours as .pcd files have them: one number 0xAARRGGBB a point.
#pragma once

#include "equiframe/io/point_cloud.h"

namespace equiframe::inline io {

/// Makes columns red, green, blue (and alpha) of a column rgb (or rgba): an integer, or a float32
/// whose bits are that integer, as PCL has it.
void unpack_colours(PointCloud& cloud);

/// The columns red, green, blue and, if there are four, alpha, each [N] uint8, as int32 [N] with
/// the bits of that number. Without alpha, its place is 0.
Tensor packed_colour(const std::vector<Tensor>& colours);

}  // namespace equiframe::inline io
