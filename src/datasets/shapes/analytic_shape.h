#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "datasets/shapes/implicit_field.h"

namespace equiframe::implicit {

/// A place on an analytic shape.
struct AnalyticPlace {
  Vector3 point{}, normal{};
  double edge_distance = std::numeric_limits<double>::infinity();
  double density = 1;  ///< area on the surface per area of the square, over its maximum
};

/// The unit square wrapped around a part of the surface; u × v points out.
struct AnalyticPatch {
  double weight = 0;  ///< the area if the density were 1 everywhere
  std::function<AnalyticPlace(double u, double v)> at;
};

struct AnalyticShape {
  const char* name = "";
  std::vector<AnalyticPatch> patches;
  double (*distance)(const Vector3& p) = nullptr;  ///< signed, negative inside
};

const std::vector<AnalyticShape>& analytic_shapes();

}  // namespace equiframe::implicit
