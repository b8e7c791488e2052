#include "geometry/mesh/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "equiframe/core/error.h"

namespace equiframe::inline geometry {
namespace {

constexpr int64_t kTogether = 4096;

using Vector = std::array<double, 3>;

/// Draws of one sample.
enum Draw : uint64_t { kFaceDraw, kFirstDraw, kSecondDraw };

/// Uniform in [0, 1).
double uniform(const Rng& rng, int64_t sample, Draw draw) {
  return static_cast<double>(rng.bits(static_cast<uint64_t>(sample), draw) >> 11U) * 0x1p-53;
}

/// A face by one corner and the edges from it; far from the origin they keep their digits.
struct Triangle {
  const double* corner;
  Vector first, second;

  Vector cross() const {
    return {first[1] * second[2] - first[2] * second[1],
            first[2] * second[0] - first[0] * second[2],
            first[0] * second[1] - first[1] * second[0]};
  }
};

Triangle triangle(const PointCloud& mesh, int64_t face) {
  const double* const points = mesh.points.data_ptr<double>();
  const int64_t* const corners = mesh.faces.data_ptr<int64_t>() + 3 * face;
  Triangle result{points + 3 * corners[0], {}, {}};
  for (size_t k = 0; k < 3; ++k) {
    result.first[k] = points[3 * corners[1] + static_cast<int64_t>(k)] - result.corner[k];
    result.second[k] = points[3 * corners[2] + static_cast<int64_t>(k)] - result.corner[k];
  }
  return result;
}

double length(const Vector& v) {
  return std::hypot(v[0], v[1], v[2]);
}

/// Twice the area of all faces up to each, [F].
std::vector<double> cumulative_areas(const PointCloud& mesh) {
  std::vector<double> areas(static_cast<size_t>(mesh.faces.size(0)));
  for_each_item(mesh.faces.size(0), kTogether, [&](int64_t face) {
    areas[static_cast<size_t>(face)] = length(triangle(mesh, face).cross());
  });
  double sum = 0;
  for (size_t face = 0; face < areas.size(); ++face) {
    if (!std::isfinite(areas[face]))
      throw UserError(c10::str("face ", face, " of the mesh has a corner that is not finite; drop ",
                               "invalid points first"));
    areas[face] = sum += areas[face];
  }
  if (!(sum > 0))
    throw UserError(c10::str("none of the ", areas.size(),
                             " faces of the mesh has an area; expected a surface"));
  return areas;
}

PointCloud checked(const PointCloud& mesh) {
  if (!mesh.faces.defined() || mesh.faces.size(0) == 0)
    throw UserError("the mesh has no faces; expected triangles to draw points from");
  TORCH_CHECK(mesh.points.scalar_type() == at::kDouble && mesh.faces.scalar_type() == at::kLong &&
                  mesh.points.dim() == 2 && mesh.points.size(1) == 3 && mesh.faces.dim() == 2 &&
                  mesh.faces.size(1) == 3,
              "sample_surface: points must be float64 [N, 3] and faces int64 [F, 3]");
  const auto [least, most] = at::aminmax(mesh.faces);
  TORCH_CHECK(least.item<int64_t>() >= 0 && most.item<int64_t>() < mesh.size(),
              "sample_surface: a face has a corner that is no point");
  return {mesh.points.contiguous(), {}, {}, mesh.faces.contiguous()};
}

}  // namespace

SurfaceSamples sample_surface(const PointCloud& mesh, int64_t count, const Rng& rng) {
  TORCH_CHECK(count >= 0, "sample_surface: count must not be negative, got ", count);
  const PointCloud surface = checked(mesh);
  const std::vector<double> areas = cumulative_areas(surface);
  SurfaceSamples samples{at::empty({count, 3}, at::kDouble), at::empty({count, 3}, at::kDouble),
                         at::empty({count}, at::kLong)};
  double* const points = samples.points.data_ptr<double>();
  double* const normals = samples.normals.data_ptr<double>();
  int64_t* const faces = samples.faces.data_ptr<int64_t>();
  // The first face whose sum is greater: one without area, whose sum is that of the face before,
  // never is. Rounding may lead to the sum itself; the last face with an area has that.
  const auto last = std::lower_bound(areas.begin(), areas.end(), areas.back());
  for_each_item(count, kTogether, [&](int64_t k) {
    const double area = uniform(rng, k, kFaceDraw) * areas.back();
    const auto found = std::min(std::upper_bound(areas.begin(), areas.end(), area), last);
    faces[k] = found - areas.begin();
    const Triangle face = triangle(surface, faces[k]);
    const Vector cross = face.cross();
    double u = uniform(rng, k, kFirstDraw), v = uniform(rng, k, kSecondDraw);
    if (u + v > 1) {  // the other half of the parallelogram
      u = 1 - u;
      v = 1 - v;
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto at = 3 * k + static_cast<int64_t>(axis);
      points[at] = face.corner[axis] + u * face.first[axis] + v * face.second[axis];
      normals[at] = cross[axis] / length(cross);
    }
  });
  return samples;
}

}  // namespace equiframe::inline geometry
