#include "solids_helper/solid_facts.h"

#include <array>
#include <cmath>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <BRepGProp.hxx>
#include <BRepTools.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>

#include "solids_helper/face_normal.h"

namespace equiframe::cad {
namespace {

constexpr double kClassTolerance = 1e-7;

bool is_closed(const TopoDS_Shape& solid) {
  for (TopExp_Explorer shell(solid, TopAbs_SHELL); shell.More(); shell.Next())
    if (!BRep_Tool::IsClosed(shell.Current())) return false;
  return true;
}

TopoDS_Shape boundary_of(const TopoDS_Face& face) {
  BRep_Builder builder;
  TopoDS_Compound wires;
  builder.MakeCompound(wires);
  for (TopExp_Explorer wire(face, TopAbs_WIRE); wire.More(); wire.Next())
    builder.Add(wires, wire.Current());
  return wires;
}

/// A point of the face, if one of a few draws hits it.
std::optional<gp_Pnt> point_on(const TopoDS_Face& face, RandomDraws& draws) {
  constexpr int kTries = 20;
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  const BRepTopAdaptor_FClass2d within(face, kClassTolerance);
  const BRepAdaptor_Surface surface(face);
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const double u = draws.between(u0, u1), v = draws.between(v0, v1);
    if (within.Perform(gp_Pnt2d(u, v)) == TopAbs_IN) return surface.Value(u, v);
  }
  return std::nullopt;
}

/// The angle between the two faces' normals half way along the edge.
double bend(const TopoDS_Edge& edge, const TopoDS_Face& one, const TopoDS_Face& other) {
  double first = 0, last = 0;
  BRep_Tool::Range(edge, first, last);
  const auto normal = [&](const TopoDS_Face& face) {
    double u = 0, v = 0;
    const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, u, v);
    if (curve.IsNull()) return std::optional<gp_Dir>();
    const gp_Pnt2d at = curve->Value((first + last) / 2);
    return outward_normal(BRepAdaptor_Surface(face, Standard_False), face.Orientation(), at);
  };
  const auto a = normal(one), b = normal(other);
  return a && b ? a->Angle(*b) : 0;
}

}  // namespace

double volume_of(const TopoDS_Shape& shape) {
  GProp_GProps properties;
  BRepGProp::VolumeProperties(shape, properties);
  return properties.Mass();
}

double area_of(const TopoDS_Shape& shape) {
  GProp_GProps properties;
  BRepGProp::SurfaceProperties(shape, properties);
  return properties.Mass();
}

double radius_of(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::Add(shape, box, Standard_False);
  return std::sqrt(box.SquareExtent()) / 2;
}

std::vector<TopoDS_Face> faces_of(const TopoDS_Shape& shape) {
  TopTools_IndexedMapOfShape map;
  TopExp::MapShapes(shape, TopAbs_FACE, map);
  std::vector<TopoDS_Face> faces;
  faces.reserve(static_cast<size_t>(map.Extent()));
  for (int k = 1; k <= map.Extent(); ++k) faces.push_back(TopoDS::Face(map(k)));
  return faces;
}

std::optional<SoundSolid> sound_solid(const TopoDS_Shape& result) {
  constexpr double kMinMainShare = 0.6, kMinVolume = 1e-4;
  if (result.IsNull()) return std::nullopt;
  TopoDS_Shape largest;
  double largest_volume = 0, whole = 0;
  for (TopExp_Explorer solid(result, TopAbs_SOLID); solid.More(); solid.Next()) {
    const double volume = volume_of(solid.Current());
    whole += volume;
    if (volume > largest_volume) largest = solid.Current(), largest_volume = volume;
  }
  if (largest_volume < kMinVolume || largest_volume < kMinMainShare * whole) return std::nullopt;
  if (!is_closed(largest) || !BRepCheck_Analyzer(largest).IsValid()) return std::nullopt;
  return SoundSolid{largest, largest_volume};
}

std::vector<FlatFace> flat_faces(const TopoDS_Shape& solid) {
  constexpr double kMinShare = 0.06;  // of the square of the radius
  const double radius = radius_of(solid), least = kMinShare * radius * radius;
  std::vector<FlatFace> flat;
  for (const TopoDS_Face& face : faces_of(solid)) {
    if (BRepAdaptor_Surface(face, Standard_False).GetType() != GeomAbs_Plane) continue;
    const double area = area_of(face);
    if (area > least) flat.push_back({face, area});
  }
  return flat;
}

std::optional<Seat> random_seat(const TopoDS_Shape& solid, RandomDraws& draws) {
  constexpr int kPoints = 3;
  const std::vector<FlatFace> flat = flat_faces(solid);
  if (flat.empty()) return std::nullopt;
  double whole = 0;
  for (const FlatFace& candidate : flat) whole += candidate.area;
  double left = draws.uniform() * whole;
  size_t chosen = 0;
  while (chosen + 1 < flat.size() && (left -= flat[chosen].area) > 0) ++chosen;
  const TopoDS_Face& face = flat[chosen].face;
  const gp_Pln plane = BRepAdaptor_Surface(face).Plane();
  gp_Dir out = plane.Axis().Direction();
  if (!plane.Direct()) out.Reverse();
  if (face.Orientation() == TopAbs_REVERSED) out.Reverse();
  const TopoDS_Shape boundary = boundary_of(face);
  std::optional<Seat> best;
  for (int k = 0; k < kPoints; ++k) {
    const auto point = point_on(face, draws);
    if (!point) continue;
    const double room =
        BRepExtrema_DistShapeShape(BRepBuilderAPI_MakeVertex(*point), boundary).Value();
    if (!best || room > best->room)
      best = Seat{gp_Ax2(*point, out, plane.XAxis().Direction()), room};
  }
  return best;
}

std::vector<TopoDS_Edge> sharp_edges(const TopoDS_Shape& solid, double angle) {
  TopTools_IndexedDataMapOfShapeListOfShape faces_at;
  TopExp::MapShapesAndAncestors(solid, TopAbs_EDGE, TopAbs_FACE, faces_at);
  std::vector<TopoDS_Edge> edges;
  for (int k = 1; k <= faces_at.Extent(); ++k) {
    const TopoDS_Edge edge = TopoDS::Edge(faces_at.FindKey(k));
    const TopTools_ListOfShape& faces = faces_at(k);
    if (BRep_Tool::Degenerated(edge) || faces.Extent() != 2) continue;
    const TopoDS_Face one = TopoDS::Face(faces.First()), other = TopoDS::Face(faces.Last());
    if (one.IsSame(other)) continue;  // the seam of a cylinder
    if (bend(edge, one, other) > angle) edges.push_back(edge);
  }
  return edges;
}

double length_of(const TopoDS_Edge& edge) {
  GProp_GProps properties;
  BRepGProp::LinearProperties(edge, properties);
  return properties.Mass();
}

}  // namespace equiframe::cad
