#pragma once

#include <ATen/ATen.h>

#include "equiframe/io/point_cloud.h"

namespace equiframe::data_test {

/// Of a closed mesh whose faces look out, by the divergence theorem.
inline double enclosed_volume(const PointCloud& mesh) {
  const auto corner = [&](int64_t k) {
    return mesh.points.index_select(0, mesh.faces.select(1, k));
  };
  return (corner(0) * corner(1).cross(corner(2), 1)).sum().item<double>() / 6;
}

}  // namespace equiframe::data_test
