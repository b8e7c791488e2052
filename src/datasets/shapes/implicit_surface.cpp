#include "datasets/shapes/implicit_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/ATen.h>

namespace equiframe::implicit {
namespace {

constexpr int64_t kCells = 96;

struct Box {
  Vector3 low{}, high{};
};

Box box_of(const std::vector<Vector3>& points) {
  Box box{points.front(), points.front()};
  for (const Vector3& p : points)
    for (size_t k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], p[k]);
      box.high[k] = std::max(box.high[k], p[k]);
    }
  return box;
}

}  // namespace

std::unique_ptr<const ImplicitSurface> ImplicitSurface::make(FieldPointer field, double reach) {
  constexpr size_t kMinTriangles = 500;
  const double margin = 2 * reach / static_cast<double>(kCells);
  FieldMesh mesh = largest_piece(march(*field, reach, kCells));
  if (mesh.triangles.size() < kMinTriangles) return nullptr;
  const Box box = box_of(mesh.vertices);
  for (size_t k = 0; k < 3; ++k)
    if (box.low[k] < margin - reach || box.high[k] > reach - margin) return nullptr;
  return std::unique_ptr<const ImplicitSurface>(
      new ImplicitSurface(std::move(field), reach, std::move(mesh)));
}

ImplicitSurface::ImplicitSurface(FieldPointer field, double reach, FieldMesh mesh)
    : field_(std::move(field)), reach_(reach), mesh_(std::move(mesh)) {
  const Box box = box_of(mesh_.vertices);
  centre_ = 0.5 * (box.low + box.high);
  scale_ = 2 / length(box.high - box.low);
  double area = 0;
  up_to_.reserve(mesh_.triangles.size());
  for (const auto& triangle : mesh_.triangles) {
    const auto corner = [&](size_t k) { return mesh_.vertices[static_cast<size_t>(triangle[k])]; };
    up_to_.push_back(area += length(cross(corner(1) - corner(0), corner(2) - corner(0))) / 2);
  }
}

std::optional<SurfacePlace> ImplicitSurface::nearest(const Vector3& start) const {
  constexpr int kSteps = 20;
  constexpr double kExact = 1e-14, kFlat = 1e-3;
  const double farthest = 2 * reach_ / static_cast<double>(kCells);
  Vector3 p = start;
  for (int k = 0; k < kSteps; ++k) {
    const ImplicitField::Value f = field_->at(p);
    const double slope = length(f.gradient);
    if (slope < kFlat) return std::nullopt;
    if (length(p - start) > farthest) return std::nullopt;
    if (std::abs(f.value) <= kExact * slope) return SurfacePlace{p, (1 / slope) * f.gradient};
    p = p - (f.value / (slope * slope)) * f.gradient;
  }
  const ImplicitField::Value f = field_->at(p);
  const double slope = length(f.gradient);
  constexpr double kGoodEnough = 1e-12;
  if (slope < kFlat || std::abs(f.value) > kGoodEnough * slope) return std::nullopt;
  return SurfacePlace{p, (1 / slope) * f.gradient};
}

SurfacePlace ImplicitSurface::random_place(RandomDraws& draws) const {
  // A triangle at an angle to the surface stands for 1 / cos of its area; larger angles than 40
  // degrees are met where the mesh is too coarse, and leave the density too low there.
  constexpr double kMaxStretch = 1.3, kMinCosine = 0.2;
  while (true) {
    const double at = draws.uniform() * up_to_.back();
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), at) - up_to_.begin();
    const auto& triangle = mesh_.triangles[std::min(static_cast<size_t>(found), up_to_.size() - 1)];
    const auto corner = [&](size_t k) { return mesh_.vertices[static_cast<size_t>(triangle[k])]; };
    double s = draws.uniform(), t = draws.uniform();
    const double keep = draws.uniform();
    if (s + t > 1) s = 1 - s, t = 1 - t;
    const Vector3 ab = corner(1) - corner(0), ac = corner(2) - corner(0), normal = cross(ab, ac);
    const auto place = nearest(corner(0) + s * ab + t * ac);
    if (!place) continue;
    const double cosine = dot(normal, place->normal) / length(normal);
    if (cosine < kMinCosine || keep * kMaxStretch * cosine > 1) continue;
    return {moved(place->point), place->normal};
  }
}

PointCloud ImplicitSurface::mesh() const {
  const auto count = static_cast<int64_t>(mesh_.vertices.size());
  const Tensor points = at::empty({count, 3}, at::kDouble);
  const Tensor normals = at::empty({count, 3}, at::kFloat);
  const Tensor faces = at::empty({static_cast<int64_t>(mesh_.triangles.size()), 3}, at::kLong);
  auto* point = points.data_ptr<double>();
  auto* normal = normals.data_ptr<float>();
  for (const Vector3& vertex : mesh_.vertices) {
    const auto place = nearest(vertex);
    const Vector3 p = moved(place ? place->point : vertex);
    const Vector3 gradient = field_->at(vertex).gradient;
    const Vector3 n = place ? place->normal : (1 / std::max(length(gradient), 1e-30)) * gradient;
    for (size_t k = 0; k < 3; ++k) {
      *point++ = p[k];
      *normal++ = static_cast<float>(n[k]);
    }
  }
  auto* face = faces.data_ptr<int64_t>();
  for (const auto& triangle : mesh_.triangles)
    face = std::copy(triangle.begin(), triangle.end(), face);
  return {points, normals, {}, faces};
}

}  // namespace equiframe::implicit
