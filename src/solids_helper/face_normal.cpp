#include "solids_helper/face_normal.h"

#include <gp_Vec.hxx>

namespace equiframe::cad {

SurfacePoint surface_point(const BRepAdaptor_Surface& surface, TopAbs_Orientation orientation,
                           const gp_Pnt2d& uv) {
  SurfacePoint result;
  gp_Vec along_u, along_v;
  surface.D1(uv.X(), uv.Y(), result.point, along_u, along_v);
  result.area = along_u.Crossed(along_v);
  // A face may also be mirrored by its place in space, which turns the cross product around.
  if ((orientation == TopAbs_REVERSED) != surface.Trsf().IsNegative()) result.area.Reverse();
  return result;
}

std::optional<gp_Dir> outward_normal(const BRepAdaptor_Surface& surface,
                                     TopAbs_Orientation orientation, const gp_Pnt2d& uv) {
  constexpr double kCollapsed = 1e-9;
  const SurfacePoint at = surface_point(surface, orientation, uv);
  if (at.area.Magnitude() < kCollapsed) return std::nullopt;
  return gp_Dir(at.area);
}

}  // namespace equiframe::cad
