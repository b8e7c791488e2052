#include "solids_helper/edge_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <BRep_Tool.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>

#include "solids_helper/solid_facts.h"

namespace equiframe::cad {
namespace {

constexpr double kSharp = 0.35;  // radians: 20 degrees

struct Chord {
  gp_XYZ from, along;
  double squared_length;
};

void append_chords(std::vector<Chord>& chords, const TopoDS_Edge& edge) {
  Handle(Poly_PolygonOnTriangulation) polygon;
  Handle(Poly_Triangulation) mesh;
  TopLoc_Location place;
  BRep_Tool::PolygonOnTriangulation(edge, polygon, mesh, place);
  if (polygon.IsNull() || mesh.IsNull()) return;
  const auto node = [&](int k) {
    return mesh->Node(polygon->Node(k)).Transformed(place.Transformation()).XYZ();
  };
  for (int k = 1; k < polygon->NbNodes(); ++k) {
    const gp_XYZ from = node(k), along = node(k + 1) - from;
    chords.push_back({from, along, std::max(along.SquareModulus(), 1e-30)});
  }
}

double squared_distance(const gp_XYZ& point, const Chord& chord) {
  const gp_XYZ offset = point - chord.from;
  const double t = std::clamp(offset.Dot(chord.along) / chord.squared_length, 0.0, 1.0);
  return (offset - chord.along * t).SquareModulus();
}

}  // namespace

std::vector<double> edge_distances(const TopoDS_Shape& solid, const std::vector<double>& points) {
  std::vector<Chord> chords;
  for (const TopoDS_Edge& edge : sharp_edges(solid, kSharp)) append_chords(chords, edge);
  std::vector<double> distances(points.size() / 3, std::numeric_limits<double>::infinity());
  for (size_t p = 0; p < distances.size(); ++p) {
    const gp_XYZ point(points[3 * p], points[3 * p + 1], points[3 * p + 2]);
    double least = std::numeric_limits<double>::infinity();
    for (const Chord& chord : chords) least = std::min(least, squared_distance(point, chord));
    distances[p] = std::sqrt(least);
  }
  return distances;
}

}  // namespace equiframe::cad
