#include <algorithm>
#include <cstdio>

#include <BRepAdaptor_Surface.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepOffsetAPI_MakeThickSolid.hxx>
#include <Standard_Failure.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>

#include "solids_helper/features.h"
#include "solids_helper/solid_facts.h"

namespace equiframe::cad {
namespace {

constexpr double kSharp = 0.26;   // radians: about 15 degrees
constexpr size_t kMaxEdges = 14;  // a blend of more takes long and fails often

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

template <class Value>
void shuffle(std::vector<Value>& values, RandomDraws& draws) {
  for (size_t k = values.size(); k > 1; --k)
    std::swap(values[k - 1], values[static_cast<size_t>(draws.below(static_cast<int64_t>(k)))]);
}

/// The sharp ones of the edges around one face, or a few sharp ones anywhere.
std::vector<TopoDS_Edge> some_edges(const TopoDS_Shape& solid, double shortest,
                                    RandomDraws& draws) {
  std::vector<TopoDS_Edge> edges = sharp_edges(solid, kSharp);
  std::erase_if(edges, [&](const TopoDS_Edge& edge) { return length_of(edge) < shortest; });
  if (draws.chance(0.45)) {
    const auto faces = faces_of(solid);
    TopTools_IndexedMapOfShape around;
    TopExp::MapShapes(faces[static_cast<size_t>(draws.below(static_cast<int64_t>(faces.size())))],
                      TopAbs_EDGE, around);
    std::erase_if(edges, [&](const TopoDS_Edge& edge) { return !around.Contains(edge); });
  } else {
    shuffle(edges, draws);
    const auto wanted = static_cast<size_t>(draws.whole(1, draws.chance(0.3) ? 12 : 4));
    if (edges.size() > wanted) edges.resize(wanted);
  }
  if (edges.size() > kMaxEdges) edges.resize(kMaxEdges);
  return edges;
}

double shortest_of(const std::vector<TopoDS_Edge>& edges) {
  double shortest = length_of(edges.front());
  for (const TopoDS_Edge& edge : edges) shortest = std::min(shortest, length_of(edge));
  return shortest;
}

/// A size that leaves something of the shortest edge.
double blend_size(double radius, const std::vector<TopoDS_Edge>& edges, RandomDraws& draws) {
  return std::min(radius * draws.between_ratios(0.015, 0.15),
                  shortest_of(edges) * draws.between(0.15, 0.35));
}

/// Offsets of many faces or of free-form ones take minutes and come to nothing.
bool can_be_offset(const TopoDS_Shape& solid) {
  constexpr size_t kMaxFaces = 40;
  const auto faces = faces_of(solid);
  return faces.size() <= kMaxFaces && std::all_of(faces.begin(), faces.end(), [](const auto& face) {
           const GeomAbs_SurfaceType type = BRepAdaptor_Surface(face, Standard_False).GetType();
           return type != GeomAbs_BSplineSurface && type != GeomAbs_BezierSurface;
         });
}

template <class Builder>
Body blended(const TopoDS_Shape& solid, const char* name, RandomDraws& draws) {
  const double radius = radius_of(solid);
  const auto edges = some_edges(solid, 0.06 * radius, draws);
  if (edges.empty()) return {};
  const double size = blend_size(radius, edges, draws);
  Builder builder(solid);
  for (const TopoDS_Edge& edge : edges) builder.Add(size, edge);
  builder.Build();
  if (!builder.IsDone()) throw Standard_Failure(name);
  return {builder.Shape(), std::string(name) + " " + two_digits(size) + " of " +
                               std::to_string(edges.size()) +
                               (edges.size() == 1 ? " edge" : " edges")};
}

}  // namespace

Body shell(const TopoDS_Shape& solid, RandomDraws& draws) {
  constexpr double kTolerance = 1e-4;
  std::vector<FlatFace> flat = flat_faces(solid);
  if (flat.empty() || !can_be_offset(solid)) return {};
  shuffle(flat, draws);
  const auto open = std::min(flat.size(), static_cast<size_t>(draws.chance(0.75) ? 1 : 2));
  TopTools_ListOfShape removed;
  for (size_t k = 0; k < open; ++k) removed.Append(flat[k].face);
  const double thickness = radius_of(solid) * draws.between_ratios(0.025, 0.1);
  BRepOffsetAPI_MakeThickSolid builder;
  builder.MakeThickSolidByJoin(solid, removed, -thickness, kTolerance, BRepOffset_Skin,
                               Standard_False, Standard_False,
                               draws.chance(0.5) ? GeomAbs_Arc : GeomAbs_Intersection);
  if (!builder.IsDone()) throw Standard_Failure("shell");
  return {builder.Shape(), "shell " + two_digits(thickness) + " thick, " + std::to_string(open) +
                               (open == 1 ? " face open" : " faces open")};
}

Body fillet(const TopoDS_Shape& solid, RandomDraws& draws) {
  return blended<BRepFilletAPI_MakeFillet>(solid, "fillet", draws);
}

Body chamfer(const TopoDS_Shape& solid, RandomDraws& draws) {
  return blended<BRepFilletAPI_MakeChamfer>(solid, "chamfer", draws);
}

}  // namespace equiframe::cad
