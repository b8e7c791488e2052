#pragma once

#include <cstdint>

#include "equiframe/core/rng.h"
#include "equiframe/io/point_cloud.h"

namespace equiframe::inline geometry {

/// Points on the surface of a mesh.
struct SurfaceSamples {
  Tensor points;   ///< [M, 3] float64
  Tensor normals;  ///< [M, 3] float64, unit normals of the faces, by the right-hand rule
  Tensor faces;    ///< [M] int64, the face each point lies on
};

/// `count` points, independent and uniform by area. Sample k depends on `rng`, k and the mesh only,
/// so that more samples begin with the same ones. Faces without area are never met. Throws
/// UserError for a mesh that has no face with an area or a corner that is not finite.
SurfaceSamples sample_surface(const PointCloud& mesh, int64_t count, const Rng& rng);

}  // namespace equiframe::inline geometry
