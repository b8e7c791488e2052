#pragma once

#include <string>

#include "datasets/shapes/random_draws.h"
#include "solids_helper/bodies.h"

/// Operations of a CAD programme with random places and sizes. Each returns the changed solid, not
/// yet checked, with what was done in words; a null shape where it does not apply. All may throw
/// Standard_Failure.
namespace equiframe::cad {

// By boolean operations.
Body combine(const TopoDS_Shape& solid, RandomDraws& draws);  ///< with another body, in space
Body slice(const TopoDS_Shape& solid, RandomDraws& draws);    ///< off along a plane
Body drill(const TopoDS_Shape& solid, RandomDraws& draws);    ///< through, blind, stepped, sunk
Body pocket(const TopoDS_Shape& solid, RandomDraws& draws);
Body boss(const TopoDS_Shape& solid, RandomDraws& draws);
Body rib(const TopoDS_Shape& solid, RandomDraws& draws);
Body linear_pattern(const TopoDS_Shape& solid, RandomDraws& draws);    ///< of holes, bosses, slots
Body circular_pattern(const TopoDS_Shape& solid, RandomDraws& draws);  ///< of the same

// By offsets and blends.
Body shell(const TopoDS_Shape& solid, RandomDraws& draws);    ///< hollow, with open faces
Body fillet(const TopoDS_Shape& solid, RandomDraws& draws);   ///< round edges
Body chamfer(const TopoDS_Shape& solid, RandomDraws& draws);  ///< bevelled edges

}  // namespace equiframe::cad
