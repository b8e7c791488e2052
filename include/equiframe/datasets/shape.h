#pragma once

#include <cstdint>
#include <string>

#include "equiframe/core/tensor.h"
#include "equiframe/io/point_cloud.h"

namespace equiframe::inline datasets {

/// P points of a surface, drawn independently and uniformly by area.
struct ShapeSamples {
  Tensor points;         ///< [P, 3] float64, on the surface
  Tensor normals;        ///< [P, 3] float64, exact, of length 1, pointing out
  Tensor patches;        ///< [P] int64: the smooth face a point lies on, counted from 0
  Tensor edge_distance;  ///< [P] float64: to the nearest sharp edge; infinity if there is none
};

enum class MeshDetail {
  kSketch,  ///< for pictures of a few hundred pixels
  kFine     ///< within a thousandth of the size
};

/// A closed surface that is known exactly, about the unit ball around the origin.
class Shape {
 public:
  Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  virtual ~Shape() = default;

  /// How it is made, in words, such as "box; through hole; fillet 0.04 of 2 edges".
  virtual std::string recipe() const = 0;

  /// The same points for the same shape and `draw`, wherever and whenever.
  ShapeSamples sample(int64_t points, uint64_t draw = 0) const;

  /// Triangles with the exact normals of the surface at their corners.
  PointCloud mesh(MeshDetail detail = MeshDetail::kFine) const { return compute_mesh(detail); }

 private:
  virtual ShapeSamples compute_samples(int64_t points, uint64_t draw) const = 0;
  virtual PointCloud compute_mesh(MeshDetail detail) const = 0;
};

}  // namespace equiframe::inline datasets
