#pragma once

#include <optional>

#include <BRepAdaptor_Surface.hxx>
#include <TopAbs_Orientation.hxx>
#include <gp_Dir.hxx>
#include <gp_Pnt2d.hxx>

namespace equiframe::cad {

/// A place on a surface with what a sample needs.
struct SurfacePoint {
  gp_Pnt point;
  gp_Vec area;  ///< S_u × S_v, turned outward: its length is area on the surface per area of (u, v)
};

SurfacePoint surface_point(const BRepAdaptor_Surface& surface, TopAbs_Orientation orientation,
                           const gp_Pnt2d& uv);

/// Nothing at a pole or where the parametrisation collapses.
std::optional<gp_Dir> outward_normal(const BRepAdaptor_Surface& surface,
                                     TopAbs_Orientation orientation, const gp_Pnt2d& uv);

}  // namespace equiframe::cad
