#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "equiframe/io/point_cloud.h"
#include "report/svg.h"

namespace equiframe::inline experiments {

/// A mesh with normals, about the unit ball, and what it is.
struct SheetModel {
  PointCloud mesh;
  std::string caption;
};

/// All models on one sheet, seen obliquely from above: coloured by normal, lit from the upper left,
/// with dark lines along edges.
report::Svg contact_sheet(const std::string& title, const std::vector<SheetModel>& models,
                          int64_t columns);

}  // namespace equiframe::inline experiments
