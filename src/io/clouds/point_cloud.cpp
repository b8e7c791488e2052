#include "equiframe/io/point_cloud.h"

#include <ATen/ATen.h>

namespace equiframe::inline io {

Tensor PointCloud::column(std::string_view name) const {
  for (const PointColumn& column : columns)
    if (column.name == name) return column.values;
  return {};
}

void set_normals(PointCloud& cloud, const Tensor& normals) {
  cloud.normals = normals;
  std::erase_if(cloud.columns, [](const PointColumn& column) {
    return column.name == "nx" || column.name == "ny" || column.name == "nz";
  });
}

int64_t drop_invalid_points(PointCloud& cloud) {
  const Tensor valid = at::isfinite(cloud.points).all(1);  // [N]
  const Tensor kept = valid.nonzero().view(-1);            // [kept]
  const int64_t dropped = cloud.size() - kept.size(0);
  if (dropped == 0) return 0;
  cloud.points = cloud.points.index_select(0, kept);
  if (cloud.normals.defined()) cloud.normals = cloud.normals.index_select(0, kept);
  for (PointColumn& column : cloud.columns) column.values = column.values.index_select(0, kept);
  if (!cloud.faces.defined()) return dropped;
  const Tensor place = valid.cumsum(0) - 1;  // [N], of each valid point among them
  const Tensor corners = cloud.faces.view(-1);
  const Tensor whole = valid.index_select(0, corners).view({-1, 3}).all(1).nonzero().view(-1);
  cloud.faces = place.index_select(0, corners).view({-1, 3}).index_select(0, whole);
  return dropped;
}

}  // namespace equiframe::inline io
