#pragma once

#include <string>
#include <vector>

#include "solids_helper/booleans.h"
#include "solids_helper/solid_facts.h"

namespace equiframe::cad {

/// Something to add or take away at a seat, made in the frame of the seat: z = 0 is the face,
/// positive z outside.
struct Tool {
  TopoDS_Shape shape;
  std::string name;
  Boolean operation = Boolean::kCut;
  double reach = 0;  ///< radius of its footprint
};

/// `solid_radius` says how deep "through" is; the footprint stays within `reach`.
Tool hole_tool(double reach, double solid_radius, RandomDraws& draws);
Tool pocket_tool(double reach, double solid_radius, RandomDraws& draws);
Tool boss_tool(double reach, double solid_radius, RandomDraws& draws);
Tool rib_tool(double reach, double solid_radius, RandomDraws& draws);

/// One of holes, pockets and bosses.
Tool pattern_tool(double reach, double solid_radius, RandomDraws& draws);

}  // namespace equiframe::cad
