#include "solids_helper/feature_tools.h"

#include <algorithm>
#include <numbers>

#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <gp_Pln.hxx>

#include "solids_helper/bodies.h"
#include "solids_helper/curves.h"
#include "solids_helper/profiles.h"

namespace equiframe::cad {
namespace {

/// Tools begin this far on the other side of the face, so that no two faces coincide.
constexpr double kOverlap = 0.02;

gp_Ax2 at_height(double z) {
  return {gp_Pnt(0, 0, z), gp::DZ()};
}

TopoDS_Shape cylinder(double radius, double from, double to) {
  return BRepPrimAPI_MakeCylinder(at_height(from), radius, to - from).Shape();
}

TopoDS_Shape cone(double radius, double top_radius, double from, double to) {
  return BRepPrimAPI_MakeCone(at_height(from), radius, top_radius, to - from).Shape();
}

TopoDS_Shape joined(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return combined(Boolean::kFuse, a, {b});
}

/// A prism with rounded corners: a slot when it is long.
TopoDS_Shape rounded_prism(double a, double b, double from, double to, RandomDraws& draws) {
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(
      gp_Pln(gp::XOY()), rounded_rectangle(a, b, std::min(a, b) * draws.between(0.2, 0.98)));
  const TopoDS_Shape prism = BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, to - from));
  return placed(prism, gp_Ax2(gp_Pnt(0, 0, from), gp::DZ(), gp::DX()));
}

}  // namespace

Tool hole_tool(double reach, double solid_radius, RandomDraws& draws) {
  const double depth = solid_radius * draws.between_ratios(0.1, 0.8), through = -2 * solid_radius;
  const double bore = reach * draws.between(0.4, 0.65);
  switch (draws.below(6)) {
    case 0:
    case 1:
      return {cylinder(reach, through, kOverlap), "through hole", Boolean::kCut, reach};
    case 2:
      return {cylinder(reach, -depth, kOverlap), "blind hole", Boolean::kCut, reach};
    case 3:  // as a drill leaves it
      return {
          joined(cylinder(reach, -depth, kOverlap), cone(0, reach, -depth - 0.6 * reach, -depth)),
          "drilled hole", Boolean::kCut, reach};
    case 4:
      return {joined(cylinder(bore, through, kOverlap), cylinder(reach, -0.4 * depth, kOverlap)),
              "counterbored hole", Boolean::kCut, reach};
    default: {
      const TopoDS_Shape sink = cone(bore, reach + kOverlap, bore - reach, kOverlap);
      return {joined(cylinder(bore, through, kOverlap), sink), "countersunk hole", Boolean::kCut,
              reach};
    }
  }
}

Tool pocket_tool(double reach, double solid_radius, RandomDraws& draws) {
  const double depth = solid_radius * draws.between_ratios(0.05, 0.5);
  if (draws.chance(0.6)) {
    const double a = 0.9 * reach, b = a * draws.between(0.25, 0.7);
    return {rounded_prism(a, b, -depth, kOverlap, draws), "rounded pocket", Boolean::kCut, reach};
  }
  const Body prism = random_prism(reach, depth + kOverlap, draws);
  return {placed(prism.shape, gp_Ax2(gp_Pnt(0, 0, -depth), gp::DZ(), gp::DX())),
          "pocket of " + prism.name, Boolean::kCut, reach};
}

Tool boss_tool(double reach, double solid_radius, RandomDraws& draws) {
  const double height = solid_radius * draws.between_ratios(0.08, 0.5);
  switch (draws.below(4)) {
    case 0:
      return {cylinder(reach, -kOverlap, height), "round boss", Boolean::kFuse, reach};
    case 1:
      return {cone(reach, reach * draws.between(0.3, 0.85), -kOverlap, height), "conical boss",
              Boolean::kFuse, reach};
    case 2:
      return {BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, -reach * draws.between(0, 0.5)), reach).Shape(),
              "dome", Boolean::kFuse, reach};
    default: {
      const Body prism = random_prism(reach, height + kOverlap, draws);
      return {placed(prism.shape, gp_Ax2(gp_Pnt(0, 0, -kOverlap), gp::DZ(), gp::DX())),
              "boss of " + prism.name, Boolean::kFuse, reach};
    }
  }
}

Tool rib_tool(double reach, double solid_radius, RandomDraws& draws) {
  const double half = reach * draws.between(0.7, 1), high = solid_radius * draws.between(0.1, 0.4);
  const double thin = solid_radius * draws.between(0.012, 0.04);
  if (draws.chance(0.5))
    return {BRepPrimAPI_MakeBox(gp_Pnt(-half, -thin, -kOverlap), gp_Pnt(half, thin, high)).Shape(),
            "rib", Boolean::kFuse, reach};
  const TopoDS_Wire outline = closed_polygon(
      {gp_Pnt(-half, -thin, -kOverlap), gp_Pnt(half, -thin, -kOverlap), gp_Pnt(half, -thin, 0),
       gp_Pnt(-0.4 * half, -thin, high), gp_Pnt(-half, -thin, high)});
  return {BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline), gp_Vec(0, 2 * thin, 0)), "gusset",
          Boolean::kFuse, reach};
}

Tool pattern_tool(double reach, double solid_radius, RandomDraws& draws) {
  const double kind = draws.uniform();
  if (kind < 0.5) return hole_tool(reach, solid_radius, draws);
  if (kind < 0.7) return pocket_tool(reach, solid_radius, draws);
  if (kind < 0.9) return boss_tool(reach, solid_radius, draws);
  return rib_tool(reach, solid_radius, draws);
}

}  // namespace equiframe::cad
