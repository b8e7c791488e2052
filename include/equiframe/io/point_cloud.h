#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline io {

/// A further number that each point has: red, green, blue, intensity, confidence, ...
struct PointColumn {
  std::string name;
  Tensor values;  ///< [N] uint8, int32, int64, float32 or float64
};

/// Points in space and what is known of each; with faces, a triangle mesh.
struct EQUIFRAME_API PointCloud {
  Tensor points;                     ///< [N, 3] float64
  Tensor normals;                    ///< [N, 3] float32; undefined = none
  std::vector<PointColumn> columns;  ///< under different names, not x, y, z; nor nx, ny, nz where
                                     ///< there are normals, see `set_normals`
  Tensor faces;                      ///< [F, 3] int64, rows of `points`; undefined = none

  int64_t size() const { return points.size(0); }
  /// The column of that name; an undefined tensor if there is none.
  Tensor column(std::string_view name) const;
};

/// Gives the cloud these normals; a column under the name of one of their coordinates, such as a
/// lone `nx` of a file, makes room for them.
EQUIFRAME_API void set_normals(PointCloud& cloud, const Tensor& normals);

/// Takes out the points with a coordinate that is NaN or infinite, and the faces they are corners
/// of; the others keep their order. Returns how many points went.
EQUIFRAME_API int64_t drop_invalid_points(PointCloud& cloud);

}  // namespace equiframe::inline io
