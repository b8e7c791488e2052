// Colours of files whose numbers have no types.
#pragma once

#include "equiframe/io/point_cloud.h"

namespace equiframe::inline io {

/// Turns the columns red, green, blue and alpha into uint8: whole numbers from 0 to 255 as they
/// are, and with `kFractions` others from 0 to 1 as the nearest 255th. Columns with other values
/// stay.
enum class ColourScale { kBytes, kFractions };
void colours_to_bytes(PointCloud& cloud, ColourScale scale = ColourScale::kBytes);

}  // namespace equiframe::inline io
