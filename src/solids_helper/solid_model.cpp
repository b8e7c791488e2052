#include "solids_helper/solid_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Copy.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <Bnd_Box.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <gp_Trsf.hxx>

#include "solids_helper/solid_facts.h"
#include "solids_helper/step_text.h"
#include "solids_helper/surface_sampler.h"

namespace equiframe::cad {
namespace {

/// Of the triangles that samples come from, in radii of the model.
constexpr double kSamplingDeflection = 2e-3;

gp_XYZ point_at(const std::vector<double>& points, size_t number) {
  return {points[3 * number], points[3 * number + 1], points[3 * number + 2]};
}

/// The volume that the triangles enclose, by the divergence theorem.
double enclosed_volume(const Mesh& mesh) {
  double six = 0;
  const auto vertex = [&](int64_t number) {
    return point_at(mesh.vertices, static_cast<size_t>(number));
  };
  for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
    six += vertex(mesh.triangles[t])
               .Dot(vertex(mesh.triangles[t + 1]).Crossed(vertex(mesh.triangles[t + 2])));
  return six / 6;
}

/// How many times the triangles go around a point: 1 inside, 0 outside. By solid angles (van
/// Oosterom and Strackee 1983).
double winding_number(const Mesh& mesh, const gp_XYZ& point) {
  double angle = 0;
  const auto towards = [&](int64_t number) {
    return point_at(mesh.vertices, static_cast<size_t>(number)) - point;
  };
  for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
    const gp_XYZ a = towards(mesh.triangles[t]), b = towards(mesh.triangles[t + 1]),
                 c = towards(mesh.triangles[t + 2]);
    const double la = a.Modulus(), lb = b.Modulus(), lc = c.Modulus();
    angle += 2 * std::atan2(a.Dot(b.Crossed(c)),
                            la * lb * lc + a.Dot(b) * lc + b.Dot(c) * la + c.Dot(a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

/// Whether points a little off the surface are inside and outside as their normals say. It finds
/// surfaces that run through each other, which a check of the topology does not.
bool normals_are_true(const Samples& samples, const Mesh& mesh, double radius) {
  constexpr double kFromEdges = 0.02, kTolerance = 0.1;
  const double step = 3 * kSamplingDeflection * radius;
  for (size_t k = 0; k < samples.faces.size(); ++k) {
    if (samples.edge_distance[k] < kFromEdges * radius) continue;
    const gp_XYZ point = point_at(samples.points, k), normal = point_at(samples.normals, k);
    if (std::abs(winding_number(mesh, point - normal * step) - 1) > kTolerance) return false;
    if (std::abs(winding_number(mesh, point + normal * step)) > kTolerance) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<SolidModel> SolidModel::make(uint64_t start, const Watch& watch) {
  constexpr double kVolumeError = 0.02;
  constexpr int64_t kProbes = 24;
  RandomDraws draws(start);
  const auto body = random_model(draws, watch);
  if (!body) return nullptr;
  const double radius = radius_of(body->shape), volume = volume_of(body->shape);
  if (!triangulate(body->shape, kSamplingDeflection * radius)) return nullptr;
  const Mesh mesh = mesh_of(body->shape);
  if (std::abs(enclosed_volume(mesh) - volume) > kVolumeError * volume) return nullptr;
  const Samples probes = sample_surface(body->shape, kProbes, draws);
  if (!normals_are_true(probes, mesh, radius)) return nullptr;
  return std::unique_ptr<SolidModel>(new SolidModel(*body));
}

SolidModel::SolidModel(const Body& body) : solid_(body.shape), recipe_(body.name) {
  Bnd_Box box;
  BRepBndLib::AddOptimal(solid_, box, Standard_True, Standard_False);  // of its triangles
  const gp_XYZ low = box.CornerMin().XYZ(), high = box.CornerMax().XYZ();
  centre_ = (low + high) / 2;
  radius_ = (high - low).Modulus() / 2;
}

void SolidModel::normalise(std::vector<double>& points) const {
  for (size_t k = 0; k < points.size(); ++k)
    points[k] = (points[k] - centre_.Coord(static_cast<int>(k % 3) + 1)) / radius_;
}

gp_Pnt SolidModel::native(const std::vector<double>& points, size_t number) const {
  return point_at(points, number) * radius_ + centre_;
}

Samples SolidModel::sample(int64_t points, uint64_t start) const {
  RandomDraws draws(start);
  Samples samples = sample_surface(solid_, points, draws);
  normalise(samples.points);
  for (double& distance : samples.edge_distance) distance /= radius_;
  return samples;
}

Mesh SolidModel::mesh(double deflection) const {
  const TopoDS_Shape copy = BRepBuilderAPI_Copy(solid_).Shape();
  triangulate(copy, deflection * radius_);
  Mesh mesh = mesh_of(copy);
  normalise(mesh.vertices);
  return mesh;
}

std::vector<double> SolidModel::distance(const std::vector<double>& points) const {
  std::vector<double> result(points.size() / 3);
  for (size_t k = 0; k < result.size(); ++k) {
    double least = std::numeric_limits<double>::infinity();
    for (TopExp_Explorer shell(solid_, TopAbs_SHELL); shell.More(); shell.Next()) {
      const BRepExtrema_DistShapeShape extrema(BRepBuilderAPI_MakeVertex(native(points, k)),
                                               shell.Current());
      if (!extrema.IsDone()) throw Standard_Failure("no distance to the surface");
      least = std::min(least, extrema.Value() / radius_);
    }
    result[k] = least;
  }
  return result;
}

std::string SolidModel::step() const {
  gp_Trsf centre, scale;
  centre.SetTranslation(gp_Vec(centre_ * -1));
  scale.SetScale(gp::Origin(), 1 / radius_);
  return step_text(BRepBuilderAPI_Transform(solid_, scale * centre, Standard_True));
}

}  // namespace equiframe::cad
