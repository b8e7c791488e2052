#include "solids_helper/profiles.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepClass_FaceClassifier.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_Ellipse.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Circ.hxx>
#include <gp_Pln.hxx>

#include "solids_helper/curves.h"

namespace equiframe::cad {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

struct Outline {
  TopoDS_Wire wire;
  std::string name;
};

gp_Pnt at_angle(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle), 0};
}

/// Corners around the origin, in order, the angles between them roughly equal.
std::vector<gp_Pnt> corners_around(double radius, double least, int64_t count, RandomDraws& draws) {
  std::vector<gp_Pnt> corners;
  const double step = kTurn / static_cast<double>(count), start = draws.between(0, kTurn);
  for (int64_t k = 0; k < count; ++k) {
    const double angle = start + step * (static_cast<double>(k) + draws.between(-0.3, 0.3));
    corners.push_back(at_angle(radius * draws.between(least, 1), angle));
  }
  return corners;
}

Outline regular_polygon(double radius, RandomDraws& draws) {
  const int64_t count = draws.whole(3, 8);
  const double start = draws.between(0, kTurn);
  std::vector<gp_Pnt> corners;
  for (int64_t k = 0; k < count; ++k)
    corners.push_back(
        at_angle(radius, start + kTurn * static_cast<double>(k) / static_cast<double>(count)));
  return {closed_polygon(corners), (count == 8 ? "an " : "a ") + std::to_string(count) + "-gon"};
}

Outline irregular_polygon(double radius, RandomDraws& draws) {
  return {closed_polygon(corners_around(radius, 0.45, draws.whole(4, 9), draws)), "a polygon"};
}

Outline closed_spline_outline(double radius, RandomDraws& draws) {
  // The curve swings out between its points by less than a tenth.
  return {closed_spline(corners_around(0.9 * radius, 0.55, draws.whole(4, 8), draws)), "a spline"};
}

Outline gear(double radius, RandomDraws& draws) {
  const int64_t teeth = draws.whole(5, 12);
  const double inner = radius * draws.between(0.65, 0.85),
               step = kTurn / static_cast<double>(teeth);
  const double foot = draws.between(0.24, 0.32) * step, tip = draws.between(0.12, 0.22) * step;
  std::vector<gp_Pnt> corners;
  for (int64_t k = 0; k < teeth; ++k) {
    const double angle = step * static_cast<double>(k);
    corners.push_back(at_angle(inner, angle - foot));
    corners.push_back(at_angle(radius, angle - tip));
    corners.push_back(at_angle(radius, angle + tip));
    corners.push_back(at_angle(inner, angle + foot));
  }
  return {closed_polygon(corners), "a gear"};
}

/// Sections of rolled steel: L, T, U, I and a cross, from a box of half sides a and b and walls of
/// thickness t.
Outline steel_section(double radius, RandomDraws& draws) {
  const double a = radius * draws.between(0.5, 0.72), b = radius * draws.between(0.5, 0.68);
  const double t = std::min(a, b) * draws.between(0.25, 0.6), h = t / 2;
  const auto made = [](std::vector<gp_Pnt> corners, const char* name) {
    return Outline{closed_polygon(corners), name};
  };
  const auto p = [](double x, double y) { return gp_Pnt(x, y, 0); };
  switch (draws.below(5)) {
    case 0:
      return made({p(-a, -b), p(a, -b), p(a, t - b), p(t - a, t - b), p(t - a, b), p(-a, b)},
                  "an L");
    case 1:
      return made({p(-h, -b), p(h, -b), p(h, b - t), p(a, b - t), p(a, b), p(-a, b), p(-a, b - t),
                   p(-h, b - t)},
                  "a T");
    case 2:
      return made({p(-a, -b), p(a, -b), p(a, b), p(a - t, b), p(a - t, t - b), p(t - a, t - b),
                   p(t - a, b), p(-a, b)},
                  "a U");
    case 3:
      return made({p(-a, -b), p(a, -b), p(a, t - b), p(h, t - b), p(h, b - t), p(a, b - t), p(a, b),
                   p(-a, b), p(-a, b - t), p(-h, b - t), p(-h, t - b), p(-a, t - b)},
                  "an I");
    default:
      return made({p(-h, -b), p(h, -b), p(h, -h), p(a, -h), p(a, h), p(h, h), p(h, b), p(-h, b),
                   p(-h, h), p(-a, h), p(-a, -h), p(-h, -h)},
                  "a cross");
  }
}

Outline rounded(double radius, RandomDraws& draws) {
  const double a = radius * draws.between(0.55, 0.75), b = radius * draws.between(0.3, 0.65);
  if (draws.chance(0.3)) return {circle_wire(gp::XOY(), radius), "a circle"};
  if (draws.chance(0.3)) {
    const Handle(Geom_Ellipse) ellipse = new Geom_Ellipse(gp::XOY(), radius, b);
    return {BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(ellipse)), "an ellipse"};
  }
  return {rounded_rectangle(a, b, std::min(a, b) * draws.between(0.15, 0.95)),
          "a rounded rectangle"};
}

Outline random_outline(double radius, RandomDraws& draws) {
  switch (draws.below(8)) {
    case 0:
      return regular_polygon(radius, draws);
    case 1:
    case 2:
      return irregular_polygon(radius, draws);
    case 3:
      return steel_section(radius, draws);
    case 4:
      return gear(radius, draws);
    case 5:
      return rounded(radius, draws);
    default:
      return closed_spline_outline(radius, draws);
  }
}

/// How far the origin is from the outline; 0 where it lies outside.
double clearance(const TopoDS_Face& face, const TopoDS_Wire& outline) {
  const BRepClass_FaceClassifier place(face, gp_Pnt(0, 0, 0), 1e-7);
  if (place.State() != TopAbs_IN) return 0;
  return BRepExtrema_DistShapeShape(BRepBuilderAPI_MakeVertex(gp_Pnt(0, 0, 0)), outline).Value();
}

/// One hole in the middle, or a ring of round ones.
std::vector<TopoDS_Wire> holes_within(double room, RandomDraws& draws) {
  if (draws.chance(0.5)) {
    const double size = room * draws.between(0.3, 0.8);
    if (draws.chance(0.4)) return {circle_wire(gp::XOY(), size)};
    if (draws.chance(0.5)) return {closed_spline_outline(size, draws).wire};
    return {regular_polygon(size, draws).wire};
  }
  const int64_t count = draws.whole(2, 6);
  const double ring = room * draws.between(0.5, 0.65);
  const double touching = ring * std::sin(std::numbers::pi / static_cast<double>(count));
  const double size = draws.between(0.4, 0.85) * std::min(touching, room - ring);
  std::vector<TopoDS_Wire> holes;
  for (int64_t k = 0; k < count; ++k) {
    const double angle = kTurn * static_cast<double>(k) / static_cast<double>(count);
    holes.push_back(circle_wire(gp_Ax2(at_angle(ring, angle), gp::DZ()), size));
  }
  return holes;
}

TopoDS_Face with_holes(const TopoDS_Face& face, const std::vector<TopoDS_Wire>& holes) {
  BRepBuilderAPI_MakeFace builder(face);
  for (const TopoDS_Wire& hole : holes) builder.Add(TopoDS::Wire(hole.Reversed()));
  return builder.Face();
}

}  // namespace

Profile random_profile(double radius, Holes holes, RandomDraws& draws) {
  const Outline outline = random_outline(radius, draws);
  const TopoDS_Face face = BRepBuilderAPI_MakeFace(gp_Pln(gp::XOY()), outline.wire);
  const double room = clearance(face, outline.wire);
  if (holes == Holes::kNone || room < 0.2 * radius || draws.chance(0.6))
    return {face, outline.name + " profile"};
  const auto inner = holes_within(room, draws);
  const std::string count = inner.size() == 1 ? "a hole" : std::to_string(inner.size()) + " holes";
  return {with_holes(face, inner), outline.name + " profile with " + count};
}

Profile random_turning(double radius, double height, RandomDraws& draws) {
  const int64_t count = draws.whole(3, 6);
  const double step = height / static_cast<double>(count - 1), bottom = -height / 2;
  std::vector<gp_Pnt> side;
  for (int64_t k = 0; k < count; ++k)
    side.emplace_back(radius * draws.between(0.25, 1), 0, bottom + step * static_cast<double>(k));
  BRepBuilderAPI_MakeWire wire;
  const gp_Pnt low(0, 0, bottom), high(0, 0, bottom + height);
  wire.Add(BRepBuilderAPI_MakeEdge(low, side.front()));
  const int64_t kind = draws.below(3);
  if (kind == 0) {
    wire.Add(open_spline(side));
  } else if (kind == 1) {
    for (size_t k = 1; k < side.size(); ++k)
      wire.Add(BRepBuilderAPI_MakeEdge(side[k - 1], side[k]));
  } else {  // a stepped shaft: each radius is kept up to the next height
    gp_Pnt from = side.front();
    for (size_t k = 1; k < side.size(); ++k) {
      const gp_Pnt corner(from.X(), 0, side[k].Z());
      wire.Add(BRepBuilderAPI_MakeEdge(from, corner));
      if (k + 1 < side.size()) wire.Add(BRepBuilderAPI_MakeEdge(corner, side[k]));
      from = k + 1 < side.size() ? side[k] : corner;
    }
    side.back() = from;
  }
  wire.Add(BRepBuilderAPI_MakeEdge(side.back(), high));
  wire.Add(BRepBuilderAPI_MakeEdge(high, low));
  constexpr const char* kNames[] = {"a spline", "a polygon", "a stepped"};
  return {BRepBuilderAPI_MakeFace(wire.Wire()), std::string(kNames[kind]) + " profile"};
}

}  // namespace equiframe::cad
