#pragma once

#include <vector>

#include <TopoDS_Edge.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Ax2.hxx>
#include <gp_Pnt.hxx>

namespace equiframe::cad {

TopoDS_Wire closed_polygon(const std::vector<gp_Pnt>& corners);
/// A smooth closed curve through the points.
TopoDS_Wire closed_spline(const std::vector<gp_Pnt>& points);
TopoDS_Edge open_spline(const std::vector<gp_Pnt>& points);
TopoDS_Wire circle_wire(const gp_Ax2& frame, double radius);
/// In the plane z = 0 around the origin, with half sides a and b; `corner` is the radius of its
/// corners, less than both.
TopoDS_Wire rounded_rectangle(double a, double b, double corner);

}  // namespace equiframe::cad
