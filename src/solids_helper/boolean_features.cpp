#include <algorithm>
#include <cmath>
#include <numbers>

#include <BRepPrimAPI_MakeBox.hxx>
#include <gp_Vec.hxx>

#include "solids_helper/feature_tools.h"
#include "solids_helper/features.h"

namespace equiframe::cad {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

gp_Dir random_direction(RandomDraws& draws) {
  if (draws.chance(0.5)) {  // along an axis: machines like it
    const double sign = draws.chance(0.5) ? 1 : -1;
    const int64_t axis = draws.below(3);
    return {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
  }
  const double z = draws.between(-1, 1), angle = draws.between(0, kTurn), r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Where there is no flat face: on the way out from the origin, tools first.
Seat seat_in_space(double radius, RandomDraws& draws) {
  const gp_Dir out = random_direction(draws);
  return {gp_Ax2(gp_Pnt(gp_Vec(out).XYZ() * radius * draws.between(0.5, 0.9)), out), 0.5 * radius};
}

Seat some_seat(const TopoDS_Shape& solid, double radius, RandomDraws& draws) {
  if (const auto seat = random_seat(solid, draws)) return *seat;
  return seat_in_space(radius, draws);
}

/// The frame moved within its plane and turned about its normal.
gp_Ax2 shifted(const gp_Ax2& frame, double x, double y, double turn) {
  gp_Ax2 result = frame;
  result.Translate(gp_Vec(frame.XDirection()) * x + gp_Vec(frame.YDirection()) * y);
  result.Rotate(gp_Ax1(result.Location(), result.Direction()), turn);
  return result;
}

using MakeTool = Tool (*)(double reach, double solid_radius, RandomDraws& draws);

/// One tool at one seat. Most stay on their face, some run over its edge.
Body single(const TopoDS_Shape& solid, MakeTool make, double largest, RandomDraws& draws) {
  const double radius = radius_of(solid);
  const Seat seat = some_seat(solid, radius, draws);
  const double within = draws.chance(0.8) ? 0.85 * seat.room : largest * radius;
  const double reach = std::min(within, largest * radius) * draws.between(0.4, 1);
  const Tool tool = make(std::max(reach, 0.03 * radius), radius, draws);
  const gp_Ax2 frame = shifted(seat.frame, 0, 0, draws.chance(0.5) ? 0 : draws.between(0, kTurn));
  return {combined(tool.operation, solid, {placed(tool.shape, frame)}), tool.name};
}

Body repeated(const TopoDS_Shape& solid, const Tool& tool, const std::vector<gp_Ax2>& frames,
              const std::string& arrangement) {
  std::vector<TopoDS_Shape> tools;
  for (const gp_Ax2& frame : frames) tools.push_back(placed(tool.shape, frame));
  return {combined(tool.operation, solid, tools),
          std::to_string(frames.size()) + " times " + tool.name + " " + arrangement};
}

}  // namespace

Body combine(const TopoDS_Shape& solid, RandomDraws& draws) {
  const double radius = radius_of(solid), size = radius * draws.between(0.3, 0.75);
  const bool prism = draws.chance(0.3);
  const Body other = prism ? random_prism(size, 2 * size, draws) : random_primitive(size, draws);
  const gp_Dir out = random_direction(draws), up = random_direction(draws);
  const gp_Pnt centre(gp_Vec(out).XYZ() * radius * draws.between(0.1, 0.7));
  const double kind = draws.uniform();
  const Boolean operation =
      kind < 0.5 ? Boolean::kFuse : (kind < 0.92 ? Boolean::kCut : Boolean::kCommon);
  const char* word = operation == Boolean::kFuse  ? "fused with a "
                     : operation == Boolean::kCut ? "cut by a "
                                                  : "common part with a ";
  return {combined(operation, solid, {placed(other.shape, gp_Ax2(centre, up))}),
          word + (prism ? "prism of " + other.name : other.name)};
}

Body slice(const TopoDS_Shape& solid, RandomDraws& draws) {
  const double radius = radius_of(solid), far = 3 * radius;
  const gp_Dir out = random_direction(draws);
  const gp_Pnt foot(gp_Vec(out).XYZ() * radius * draws.between(0.1, 0.6));
  const TopoDS_Shape half_space =
      BRepPrimAPI_MakeBox(gp_Pnt(-far, -far, 0), gp_Pnt(far, far, far)).Shape();
  return {combined(Boolean::kCut, solid, {placed(half_space, gp_Ax2(foot, out))}), "slice off"};
}

Body drill(const TopoDS_Shape& solid, RandomDraws& draws) {
  return single(solid, hole_tool, 0.35, draws);
}

Body pocket(const TopoDS_Shape& solid, RandomDraws& draws) {
  return single(solid, pocket_tool, 0.5, draws);
}

Body boss(const TopoDS_Shape& solid, RandomDraws& draws) {
  return single(solid, boss_tool, 0.4, draws);
}

Body rib(const TopoDS_Shape& solid, RandomDraws& draws) {
  return single(solid, rib_tool, 0.8, draws);
}

Body linear_pattern(const TopoDS_Shape& solid, RandomDraws& draws) {
  const double radius = radius_of(solid);
  const Seat seat = some_seat(solid, radius, draws);
  const int64_t columns = draws.whole(2, 4), rows = draws.whole(1, 3);
  const double most = static_cast<double>(std::max(columns, rows) - 1);
  const double extent = std::clamp(1.4 * seat.room, 0.2 * radius, radius);
  const double step = 2 * extent / (most + 1) * draws.between(0.8, 1.1);
  const Tool tool = pattern_tool(0.5 * step * draws.between(0.45, 0.85), radius, draws);
  const double turn = draws.chance(0.7) ? 0 : draws.between(0, kTurn);
  const gp_Ax2 centre = shifted(seat.frame, 0, 0, turn);
  std::vector<gp_Ax2> frames;
  for (int64_t i = 0; i < columns; ++i)
    for (int64_t j = 0; j < rows; ++j)
      frames.push_back(shifted(centre, step * (static_cast<double>(2 * i - columns + 1) / 2),
                               step * (static_cast<double>(2 * j - rows + 1) / 2), 0));
  return repeated(solid, tool, frames, "in a grid");
}

Body circular_pattern(const TopoDS_Shape& solid, RandomDraws& draws) {
  const double radius = radius_of(solid);
  const Seat seat = some_seat(solid, radius, draws);
  const int64_t count = draws.whole(3, 8);
  const double step = kTurn / static_cast<double>(count);
  const double ring = std::clamp(seat.room * draws.between(0.5, 0.8), 0.15 * radius, 0.7 * radius);
  const double touching = ring * std::sin(step / 2);
  const double reach = std::min(touching, std::max(seat.room - ring, 0.1 * radius));
  const Tool tool = pattern_tool(reach * draws.between(0.4, 0.85), radius, draws);
  std::vector<gp_Ax2> frames;
  for (int64_t k = 0; k < count; ++k) {
    const double angle = step * static_cast<double>(k);
    frames.push_back(shifted(seat.frame, ring * std::cos(angle), ring * std::sin(angle), angle));
  }
  return repeated(solid, tool, frames, "in a circle");
}

}  // namespace equiframe::cad
