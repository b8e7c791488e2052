#pragma once

#include <string>

#include <TopoDS_Shape.hxx>

#include "datasets/shapes/random_draws.h"

namespace equiframe::cad {

/// A solid and how it came to be, in words.
struct Body {
  TopoDS_Shape shape;
  std::string name;
};

/// What a model begins with, about one unit large and around the origin: an extrusion, a
/// revolution, a primitive, a loft or a swept tube. May throw Standard_Failure.
Body random_body(RandomDraws& draws);

/// A box, cylinder, cone, sphere or torus around the origin, about `size` in radius.
Body random_primitive(double size, RandomDraws& draws);

/// A prism on a random profile of this radius, from z = 0 up to `height`.
Body random_prism(double radius, double height, RandomDraws& draws);

}  // namespace equiframe::cad
