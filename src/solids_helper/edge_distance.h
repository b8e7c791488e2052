#pragma once

#include <vector>

#include <TopoDS_Shape.hxx>

namespace equiframe::cad {

/// For each of the points, three numbers a point, its distance to the nearest sharp edge of a
/// triangulated solid, edges being taken as chains of chords; infinity if it has no sharp edge.
std::vector<double> edge_distances(const TopoDS_Shape& solid, const std::vector<double>& points);

}  // namespace equiframe::cad
