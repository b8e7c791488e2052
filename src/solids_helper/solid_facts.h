#pragma once

#include <optional>
#include <vector>

#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Ax2.hxx>

#include "datasets/shapes/random_draws.h"

namespace equiframe::cad {

double volume_of(const TopoDS_Shape& shape);
double area_of(const TopoDS_Shape& shape);
/// Half the diagonal of the box around it.
double radius_of(const TopoDS_Shape& shape);
std::vector<TopoDS_Face> faces_of(const TopoDS_Shape& shape);

struct SoundSolid {
  TopoDS_Shape shape;
  double volume = 0;
};

/// The largest solid of what an operation left, if it is closed and valid and most of the result.
std::optional<SoundSolid> sound_solid(const TopoDS_Shape& result);

/// The flat faces of some size, with their areas.
struct FlatFace {
  TopoDS_Face face;
  double area = 0;
};
std::vector<FlatFace> flat_faces(const TopoDS_Shape& solid);

/// Where a feature can sit: a point of a flat face.
struct Seat {
  gp_Ax2 frame;     ///< z points out of the solid
  double room = 0;  ///< distance to the nearest edge of the face
};

/// On a flat face drawn by area, nothing if there are none worth mentioning. The point is the one
/// with most room of a few.
std::optional<Seat> random_seat(const TopoDS_Shape& solid, RandomDraws& draws);

/// Edges where two faces meet at an angle of more than this, in radians.
std::vector<TopoDS_Edge> sharp_edges(const TopoDS_Shape& solid, double angle);

double length_of(const TopoDS_Edge& edge);

}  // namespace equiframe::cad
