#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "datasets/shapes/implicit_field.h"
#include "datasets/shapes/marching_tetrahedra.h"
#include "datasets/shapes/random_draws.h"
#include "equiframe/io/point_cloud.h"

namespace equiframe::implicit {

struct SurfacePlace {
  Vector3 point{};
  Vector3 normal{};
};

/// The largest connected piece of the zero set of a field, moved and scaled so that its box has its
/// centre at the origin and the half diagonal 1.
class ImplicitSurface {
 public:
  /// Nothing where there is no surface in the cube of half side `reach`, or it leaves the cube.
  static std::unique_ptr<const ImplicitSurface> make(FieldPointer field, double reach);

  /// Drawn by area.
  SurfacePlace random_place(RandomDraws& draws) const;

  PointCloud mesh() const;

 private:
  ImplicitSurface(FieldPointer field, double reach, FieldMesh mesh);

  /// Newton's method along the gradient from a point near the surface; nothing if it leads away.
  std::optional<SurfacePlace> nearest(const Vector3& start) const;
  Vector3 moved(const Vector3& p) const { return scale_ * (p - centre_); }

  FieldPointer field_;
  double reach_;
  FieldMesh mesh_;             ///< in the coordinates of the field, as all that follow
  std::vector<double> up_to_;  ///< sums of the areas of its triangles
  Vector3 centre_{};
  double scale_ = 1;
};

}  // namespace equiframe::implicit
