#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "datasets/shapes/implicit_field.h"

namespace equiframe::implicit {

/// Triangles near the zero set of a field, seen counter-clockwise from outside.
struct FieldMesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int64_t, 3>> triangles;
};

/// In the cube of half side `reach` around the origin, cut into `cells`³ cells of six tetrahedra
/// each. Vertices are shared, so the mesh is closed where the zero set stays inside the cube.
FieldMesh march(const ImplicitField& field, double reach, int64_t cells);

/// The connected piece with most triangles.
FieldMesh largest_piece(const FieldMesh& mesh);

}  // namespace equiframe::implicit
