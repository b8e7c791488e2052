#include "solids_helper/surface_sampler.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Tool.hxx>
#include <Poly_Triangulation.hxx>

#include "solids_helper/edge_distance.h"
#include "solids_helper/face_normal.h"
#include "solids_helper/solid_facts.h"

namespace equiframe::cad {
namespace {

constexpr double kCollapsed = 1e-9;

/// A triangle of the (u, v) plane of a face and the area it stands for in space.
struct Patch {
  size_t face = 0;
  gp_Pnt2d a, b, c;
  double area = 0, flat_area = 0;
};

struct FaceSurface {
  explicit FaceSurface(const TopoDS_Face& face)
      : surface(face), orientation(face.Orientation()), within(face, 1e-7) {}
  BRepAdaptor_Surface surface;
  TopAbs_Orientation orientation;
  BRepTopAdaptor_FClass2d within;
};

std::vector<Patch> patches_of(const TopoDS_Face& face, size_t number) {
  TopLoc_Location place;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
  std::vector<Patch> patches;
  if (mesh.IsNull() || !mesh->HasUVNodes()) return patches;
  patches.reserve(static_cast<size_t>(mesh->NbTriangles()));
  for (int k = 1; k <= mesh->NbTriangles(); ++k) {
    int i = 0, j = 0, l = 0;
    mesh->Triangle(k).Get(i, j, l);
    const gp_Vec ab(mesh->Node(i), mesh->Node(j)), ac(mesh->Node(i), mesh->Node(l));
    const gp_Pnt2d a = mesh->UVNode(i), b = mesh->UVNode(j), c = mesh->UVNode(l);
    const double flat = std::abs(gp_Vec2d(a, b).Crossed(gp_Vec2d(a, c))) / 2;
    const double area = ab.CrossMagnitude(ac) / 2;
    if (area > 0 && flat > 0) patches.push_back({number, a, b, c, area, flat});
  }
  return patches;
}

gp_Pnt2d random_point(const Patch& patch, RandomDraws& draws) {
  double s = draws.uniform(), t = draws.uniform();
  if (s + t > 1) s = 1 - s, t = 1 - t;
  return patch.a.XY() + (patch.b.XY() - patch.a.XY()) * s + (patch.c.XY() - patch.a.XY()) * t;
}

void append(std::vector<double>& values, const gp_XYZ& xyz) {
  values.insert(values.end(), {xyz.X(), xyz.Y(), xyz.Z()});
}

}  // namespace

bool triangulate(const TopoDS_Shape& solid, double deflection) {
  constexpr double kAngle = 0.35, kMinCover = 0.9, kMaxCover = 1.1, kSmall = 1e-4;
  const BRepMesh_IncrementalMesh mesh(solid, deflection, Standard_False, kAngle, Standard_False);
  double whole = 0, missing = 0;
  for (const TopoDS_Face& face : faces_of(solid)) {
    double covered = 0;
    for (const Patch& patch : patches_of(face, 0)) covered += patch.area;
    const double area = area_of(face);
    whole += area;
    if (covered < kMinCover * area || covered > kMaxCover * area)
      missing += std::abs(area - covered);
  }
  return missing < kSmall * whole;
}

Samples sample_surface(const TopoDS_Shape& solid, int64_t points, RandomDraws& draws) {
  // The density of proposals is 1 per area of the flat triangle; curvature makes the surface above
  // it larger by less than this factor.
  constexpr double kMaxStretch = 1.25;
  constexpr int64_t kMaxDraws = 200;
  const std::vector<TopoDS_Face> faces = faces_of(solid);
  std::vector<std::unique_ptr<FaceSurface>> surfaces;
  std::vector<Patch> patches;
  for (size_t f = 0; f < faces.size(); ++f) {
    surfaces.push_back(std::make_unique<FaceSurface>(faces[f]));
    const auto of_face = patches_of(faces[f], f);
    patches.insert(patches.end(), of_face.begin(), of_face.end());
  }
  std::vector<double> up_to;
  up_to.reserve(patches.size());
  double whole = 0;
  for (const Patch& patch : patches) up_to.push_back(whole += patch.area);

  Samples samples;
  for (int64_t tries = 0; static_cast<int64_t>(samples.faces.size()) < points; ++tries) {
    if (tries > kMaxDraws * points) throw std::runtime_error("the surface cannot be sampled");
    const double at = draws.uniform() * whole;
    const auto found = std::upper_bound(up_to.begin(), up_to.end(), at) - up_to.begin();
    const Patch& patch = patches[std::min(static_cast<size_t>(found), patches.size() - 1)];
    const gp_Pnt2d uv = random_point(patch, draws);
    const double keep = draws.uniform();
    const FaceSurface& face = *surfaces[patch.face];
    const SurfacePoint place = surface_point(face.surface, face.orientation, uv);
    const double jacobian = place.area.Magnitude();
    if (jacobian < kCollapsed || keep * kMaxStretch > jacobian * patch.flat_area / patch.area)
      continue;
    if (face.within.Perform(uv) == TopAbs_OUT) continue;
    append(samples.points, place.point.XYZ());
    append(samples.normals, place.area.XYZ() / jacobian);
    samples.faces.push_back(static_cast<int64_t>(patch.face));
  }
  samples.edge_distance = edge_distances(solid, samples.points);
  return samples;
}

Mesh mesh_of(const TopoDS_Shape& solid) {
  Mesh result;
  for (const TopoDS_Face& face : faces_of(solid)) {
    TopLoc_Location place;
    const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
    if (mesh.IsNull()) continue;
    const auto first = static_cast<int64_t>(result.vertices.size() / 3) - 1;
    const BRepAdaptor_Surface surface(face);
    const bool reversed = face.Orientation() == TopAbs_REVERSED;
    for (int k = 1; k <= mesh->NbNodes(); ++k) {
      append(result.vertices, mesh->Node(k).Transformed(place.Transformation()).XYZ());
      const auto normal = outward_normal(surface, face.Orientation(), mesh->UVNode(k));
      append(result.normals, normal ? normal->XYZ() : gp_XYZ(0, 0, 0));
    }
    for (int k = 1; k <= mesh->NbTriangles(); ++k) {
      int a = 0, b = 0, c = 0;
      mesh->Triangle(k).Get(a, b, c);
      if (reversed) std::swap(b, c);
      result.triangles.insert(result.triangles.end(), {first + a, first + b, first + c});
    }
  }
  return result;
}

}  // namespace equiframe::cad
