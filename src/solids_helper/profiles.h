#pragma once

#include <string>

#include <TopoDS_Face.hxx>

#include "datasets/shapes/random_draws.h"

namespace equiframe::cad {

/// A flat face to be extruded or revolved.
struct Profile {
  TopoDS_Face face;
  std::string name;  ///< such as "a spline profile with 3 holes"
};

enum class Holes { kNone, kMaybe };

/// In the plane z = 0, within the circle of this radius around the origin.
Profile random_profile(double radius, Holes holes, RandomDraws& draws);

/// In the half plane y = 0, x >= 0, with a side on the z axis: what a lathe would follow.
Profile random_turning(double radius, double height, RandomDraws& draws);

}  // namespace equiframe::cad
