#include "solids_helper/bodies.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <BRepAdaptor_Curve.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepOffsetAPI_MakePipe.hxx>
#include <BRepOffsetAPI_ThruSections.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <TopoDS.hxx>
#include <gp_Trsf.hxx>

#include "solids_helper/curves.h"
#include "solids_helper/profiles.h"

namespace equiframe::cad {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

TopoDS_Shape moved(const TopoDS_Shape& shape, double x, double y, double z) {
  gp_Trsf shift;
  shift.SetTranslation(gp_Vec(x, y, z));
  return BRepBuilderAPI_Transform(shape, shift, Standard_True);
}

Body extrusion(RandomDraws& draws) {
  const double height = draws.between_ratios(0.15, 1.8);
  const Profile profile = random_profile(draws.between(0.7, 1), Holes::kMaybe, draws);
  const TopoDS_Shape prism = BRepPrimAPI_MakePrism(profile.face, gp_Vec(0, 0, height));
  return {moved(prism, 0, 0, -height / 2), "extrusion of " + profile.name};
}

/// A part of a turn now and then, so that cut ends appear.
double random_angle(RandomDraws& draws) {
  return draws.chance(0.7) ? kTurn : draws.between(0.25, 0.85) * kTurn;
}

Body revolution(RandomDraws& draws) {
  const gp_Ax1 axis(gp::Origin(), gp::DZ());
  const double angle = random_angle(draws);
  const std::string part = angle < kTurn ? "partial revolution" : "revolution";
  if (draws.chance(0.6)) {
    const Profile profile = random_turning(draws.between(0.5, 1), draws.between(0.6, 2), draws);
    return {BRepPrimAPI_MakeRevol(profile.face, axis, angle), part + " of " + profile.name};
  }
  const double size = draws.between(0.15, 0.4);
  const Profile profile = random_profile(size, Holes::kNone, draws);
  gp_Trsf upright, outward;  // from the plane z = 0 to the half plane y = 0, x > 0
  upright.SetRotation(gp_Ax1(gp::Origin(), gp::DX()), kTurn / 4);
  outward.SetTranslation(gp_Vec(size + draws.between(0.1, 0.6), 0, 0));
  const TopoDS_Shape section = BRepBuilderAPI_Transform(profile.face, outward * upright);
  return {BRepPrimAPI_MakeRevol(section, axis, angle), "ring, " + part + " of " + profile.name};
}

/// Through a few sections of smooth or of straight sides, one above the other.
Body loft(RandomDraws& draws) {
  const int64_t sections = draws.whole(2, 3);
  const double step = draws.between(0.5, 1.2);
  const bool ruled = draws.chance(0.5), smooth = draws.chance(0.5);
  const int64_t corners = draws.whole(3, 6);
  BRepOffsetAPI_ThruSections builder(Standard_True, ruled);
  for (int64_t k = 0; k < sections; ++k) {
    const double z = step * (static_cast<double>(k) - static_cast<double>(sections - 1) / 2);
    const double turn = draws.between(0, 0.5), radius = draws.between(0.35, 0.95);
    std::vector<gp_Pnt> points;
    for (int64_t c = 0; c < corners; ++c) {
      const double angle = turn + kTurn * static_cast<double>(c) / static_cast<double>(corners);
      const double r = radius * draws.between(0.75, 1);
      points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    builder.AddWire(smooth ? closed_spline(points) : closed_polygon(points));
  }
  builder.Build();
  return {builder.Shape(), std::string(ruled ? "ruled" : "smooth") + " loft of " +
                               std::to_string(sections) + (smooth ? " splines" : " polygons")};
}

/// A bent rod or tube.
Body sweep(RandomDraws& draws) {
  const int64_t knots = draws.whole(3, 4);
  std::vector<gp_Pnt> path;
  for (int64_t k = 0; k < knots; ++k)
    path.emplace_back(draws.between(-0.5, 0.5), draws.between(-0.5, 0.5),
                      2 * static_cast<double>(k) / static_cast<double>(knots - 1) - 1);
  const TopoDS_Edge spine = open_spline(path);
  const double radius = draws.between(0.15, 0.35);
  gp_Pnt foot;
  gp_Vec along;
  const BRepAdaptor_Curve curve(spine);
  curve.D1(curve.FirstParameter(), foot, along);
  const gp_Ax2 frame(foot, gp_Dir(along));
  BRepBuilderAPI_MakeFace face(circle_wire(frame, radius));
  const bool hollow = draws.chance(0.5);
  if (hollow)
    face.Add(TopoDS::Wire(circle_wire(frame, radius * draws.between(0.5, 0.85)).Reversed()));
  return {BRepOffsetAPI_MakePipe(BRepBuilderAPI_MakeWire(spine), face.Face()),
          hollow ? "bent tube" : "bent rod"};
}

Body box(double size, RandomDraws& draws) {
  const double a = size * draws.between(0.4, 1), b = size * draws.between(0.4, 1);
  const double c = size * draws.between(0.25, 1);
  if (draws.chance(0.2))
    return {
        moved(BRepPrimAPI_MakeWedge(2 * a, 2 * b, 2 * c, a * draws.between(0.2, 1.4)), -a, -b, -c),
        "wedge"};
  return {BRepPrimAPI_MakeBox(gp_Pnt(-a, -b, -c), gp_Pnt(a, b, c)).Shape(), "box"};
}

}  // namespace

Body random_primitive(double size, RandomDraws& draws) {
  const double radius = size * draws.between(0.4, 0.8), height = size * draws.between(0.4, 2);
  const gp_Ax2 base(gp_Pnt(0, 0, -height / 2), gp::DZ());
  switch (draws.below(6)) {
    case 0:
    case 1:
      return box(size, draws);
    case 2:
      return {BRepPrimAPI_MakeCylinder(base, radius, height).Shape(), "cylinder"};
    case 3:
      return {BRepPrimAPI_MakeCone(base, radius, radius * draws.between(0, 0.7), height).Shape(),
              "cone"};
    case 4:
      return {BRepPrimAPI_MakeSphere(radius * 1.2).Shape(), "sphere"};
    default:
      return {BRepPrimAPI_MakeTorus(radius, radius * draws.between(0.2, 0.6)).Shape(), "torus"};
  }
}

Body random_prism(double radius, double height, RandomDraws& draws) {
  const Profile profile = random_profile(radius, Holes::kNone, draws);
  return {BRepPrimAPI_MakePrism(profile.face, gp_Vec(0, 0, height)), profile.name};
}

Body random_body(RandomDraws& draws) {
  const double kind = draws.uniform();
  if (kind < 0.4) return extrusion(draws);
  if (kind < 0.62) return revolution(draws);
  if (kind < 0.84) return random_primitive(1, draws);
  if (kind < 0.93) return loft(draws);
  return sweep(draws);
}

}  // namespace equiframe::cad
