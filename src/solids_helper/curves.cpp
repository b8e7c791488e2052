#include "solids_helper/curves.h"

#include <array>
#include <cmath>
#include <numbers>

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <Standard_Failure.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <gp_Circ.hxx>

namespace equiframe::cad {
namespace {

enum class Ends { kOpen, kClosed };

Handle(Geom_BSplineCurve) interpolate(const std::vector<gp_Pnt>& points, Ends ends) {
  const auto count = static_cast<int>(points.size());
  const Handle(TColgp_HArray1OfPnt) array = new TColgp_HArray1OfPnt(1, count);
  for (int k = 0; k < count; ++k) array->SetValue(k + 1, points[static_cast<size_t>(k)]);
  constexpr double kTolerance = 1e-7;
  GeomAPI_Interpolate curve(array, ends == Ends::kClosed, kTolerance);
  curve.Perform();
  if (!curve.IsDone()) throw Standard_Failure("no spline through these points");
  return curve.Curve();
}

}  // namespace

TopoDS_Wire closed_polygon(const std::vector<gp_Pnt>& corners) {
  BRepBuilderAPI_MakePolygon polygon;
  for (const gp_Pnt& corner : corners) polygon.Add(corner);
  polygon.Close();
  return polygon.Wire();
}

TopoDS_Wire closed_spline(const std::vector<gp_Pnt>& points) {
  return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(interpolate(points, Ends::kClosed)));
}

TopoDS_Edge open_spline(const std::vector<gp_Pnt>& points) {
  return BRepBuilderAPI_MakeEdge(interpolate(points, Ends::kOpen));
}

TopoDS_Wire circle_wire(const gp_Ax2& frame, double radius) {
  return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(frame, radius)));
}

TopoDS_Wire rounded_rectangle(double a, double b, double corner) {
  const double diagonal = corner * (1 - std::numbers::sqrt2 / 2);
  struct Turn {
    gp_Pnt from, middle, to;
  };
  const auto p = [](double x, double y) { return gp_Pnt(x, y, 0); };
  const double x = a - corner, y = b - corner, xd = a - diagonal, yd = b - diagonal;
  const std::array<Turn, 4> turns{{{p(a, y), p(xd, yd), p(x, b)},
                                   {p(-x, b), p(-xd, yd), p(-a, y)},
                                   {p(-a, -y), p(-xd, -yd), p(-x, -b)},
                                   {p(x, -b), p(xd, -yd), p(a, -y)}}};
  BRepBuilderAPI_MakeWire wire;
  for (size_t k = 0; k < turns.size(); ++k) {
    const Turn& turn = turns[k];
    const Handle(Geom_TrimmedCurve) arc =
        GC_MakeArcOfCircle(turn.from, turn.middle, turn.to).Value();
    wire.Add(BRepBuilderAPI_MakeEdge(arc));
    wire.Add(BRepBuilderAPI_MakeEdge(turn.to, turns[(k + 1) % turns.size()].from));
  }
  return wire.Wire();
}

}  // namespace equiframe::cad
