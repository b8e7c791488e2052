#pragma once

#include <cstdint>
#include <string>

#include "equiframe/core/tensor.h"

namespace equiframe::report {

/// A point cloud to be turned with the mouse on a page (see Page::view). Its colours show the
/// directions of the normals, whatever their signs, or how far they can be trusted.
struct CloudView {
  std::string title;            ///< what the cloud is, for a reader who cannot see it
  Tensor points;                ///< [N, 3] float64; points that are not finite are not shown
  Tensor normals;               ///< [N, 3] float32; grey where not finite or zero
  Tensor confidence;            ///< [N] float32 in 0..1; undefined = nothing is known about it
  int64_t max_points = 200000;  ///< points that the page carries, spread evenly over the rows
};

/// "8,000 points", or "200,000 of 1,000,000 points" where not all are shown.
std::string shown_points(const CloudView& view);

}  // namespace equiframe::report
