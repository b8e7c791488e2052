#include "datasets/shapes/analytic_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace equiframe::implicit {
namespace {

constexpr double kTurn = 2 * std::numbers::pi, kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHalfSide = std::numbers::inv_sqrt3;
constexpr double kRing = 0.7, kTube = 0.3;
constexpr double kCylinderRadius = 0.6, kCylinderHalf = 0.8;
constexpr double kCapsuleRadius = 0.4, kCapsuleHalf = 0.6;

/// Around the z axis at this angle.
Vector3 radial(double u) {
  return {std::cos(kTurn * u), std::sin(kTurn * u), 0};
}

/// The belt of a sphere between two heights: area is proportional to height (Archimedes).
AnalyticPatch belt(double radius, double from, double to, double lift) {
  return {
      kTurn * radius * (to - from), [=](double u, double v) {
        const double z = (from + (to - from) * v) / radius;
        const Vector3 normal = std::sqrt(std::max(0.0, 1 - z * z)) * radial(u) + Vector3{0, 0, z};
        return AnalyticPlace{radius * normal + Vector3{0, 0, lift}, normal};
      }};
}

enum class Rim { kSharp, kSmooth };

AnalyticPatch tube_side(double radius, double half, Rim rim) {
  return {2 * kTurn * radius * half, [=](double u, double v) {
            const Vector3 normal = radial(u);
            const double z = half * (2 * v - 1);
            return AnalyticPlace{radius * normal + Vector3{0, 0, z}, normal,
                                 rim == Rim::kSharp ? half - std::abs(z) : kInfinity};
          }};
}

AnalyticPatch disc(double radius, double height) {
  return {kTurn / 2 * radius * radius, [=](double u, double v) {
            const double r = radius * std::sqrt(height > 0 ? 1 - v : v);
            return AnalyticPlace{
                r * radial(u) + Vector3{0, 0, height}, {0, 0, height > 0 ? 1.0 : -1.0}, radius - r};
          }};
}

AnalyticPatch torus_side() {
  return {kTurn * kTurn * kTube * (kRing + kTube), [](double u, double v) {
            const Vector3 out = radial(u);
            const double across = std::cos(kTurn * v), up = std::sin(kTurn * v);
            const Vector3 normal = across * out + Vector3{0, 0, up};
            return AnalyticPlace{kRing * out + kTube * normal, normal, kInfinity,
                                 (kRing + kTube * across) / (kRing + kTube)};
          }};
}

AnalyticPatch cube_face(size_t axis, double side) {
  return {4 * kHalfSide * kHalfSide, [=](double u, double v) {
            const double a = kHalfSide * (2 * u - 1), b = kHalfSide * (2 * v - 1);
            AnalyticPlace place;
            place.point[axis] = side * kHalfSide;
            place.point[(axis + 1) % 3] = a;
            place.point[(axis + 2) % 3] = b * side;  // so that u × v points out
            place.normal[axis] = side;
            place.edge_distance = kHalfSide - std::max(std::abs(a), std::abs(b));
            return place;
          }};
}

double box_distance(const Vector3& p, const Vector3& half) {
  Vector3 outside{};
  double inside = -kInfinity;
  for (size_t k = 0; k < 3; ++k) {
    const double excess = std::abs(p[k]) - half[k];
    outside[k] = std::max(excess, 0.0);
    inside = std::max(inside, excess);
  }
  return length(outside) + std::min(inside, 0.0);
}

double cylinder_distance(const Vector3& p) {
  const double across = std::hypot(p[0], p[1]) - kCylinderRadius;
  const double along = std::abs(p[2]) - kCylinderHalf;
  return std::hypot(std::max(across, 0.0), std::max(along, 0.0)) +
         std::min(std::max(across, along), 0.0);
}

}  // namespace

const std::vector<AnalyticShape>& analytic_shapes() {
  static const std::vector<AnalyticShape> shapes{
      {"sphere", {belt(1, -1, 1, 0)}, [](const Vector3& p) { return length(p) - 1; }},
      {"torus",
       {torus_side()},
       [](const Vector3& p) { return std::hypot(std::hypot(p[0], p[1]) - kRing, p[2]) - kTube; }},
      {"cube",
       {cube_face(0, 1), cube_face(0, -1), cube_face(1, 1), cube_face(1, -1), cube_face(2, 1),
        cube_face(2, -1)},
       [](const Vector3& p) {
         return box_distance(p, {kHalfSide, kHalfSide, kHalfSide});
       }},
      {"cylinder",
       {tube_side(kCylinderRadius, kCylinderHalf, Rim::kSharp),
        disc(kCylinderRadius, kCylinderHalf), disc(kCylinderRadius, -kCylinderHalf)},
       cylinder_distance},
      {"capsule",
       {tube_side(kCapsuleRadius, kCapsuleHalf, Rim::kSmooth),
        belt(kCapsuleRadius, 0, kCapsuleRadius, kCapsuleHalf),
        belt(kCapsuleRadius, -kCapsuleRadius, 0, -kCapsuleHalf)},
       [](const Vector3& p) {
         const double z = p[2] - std::clamp(p[2], -kCapsuleHalf, kCapsuleHalf);
         return length({p[0], p[1], z}) - kCapsuleRadius;
       }}};
  return shapes;
}

}  // namespace equiframe::implicit
