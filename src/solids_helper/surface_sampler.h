#pragma once

#include <optional>

#include <TopoDS_Shape.hxx>

#include "datasets/shapes/random_draws.h"
#include "io/helper/solid_protocol.h"

namespace equiframe::cad {

/// Triangles within `deflection` of the surface, kept in the shape itself. False where a face gets
/// none or too few to cover it.
bool triangulate(const TopoDS_Shape& solid, double deflection);

/// Of a triangulated solid.
Mesh mesh_of(const TopoDS_Shape& solid);

/// Uniform by area on the exact faces of a triangulated solid, with their normals. The triangles
/// only propose: a point is S(u, v) of the face's own surface, kept with the chance that makes the
/// density constant and dropped where (u, v) is outside the face or has no normal. What curved
/// edges cut off outside the triangles, a strip thinner than the deflection, is left out.
Samples sample_surface(const TopoDS_Shape& solid, int64_t points, RandomDraws& draws);

}  // namespace equiframe::cad
