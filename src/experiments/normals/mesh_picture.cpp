#include "experiments/normals/mesh_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <ATen/ATen.h>

namespace equiframe::inline experiments {
namespace {

using Triple = std::array<double, 3>;

constexpr int64_t kOversampling = 3;

double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Triple unit(const Triple& a) {
  const double norm = std::max(std::sqrt(dot(a, a)), 1e-12);
  return {a[0] / norm, a[1] / norm, a[2] / norm};
}

/// To the right, up, and towards the eye, for one who looks down from the front right.
const std::array<Triple, 3>& view() {
  constexpr double kAround = -0.6, kAbove = 0.5;  // radians
  static const std::array<Triple, 3> axes{
      Triple{std::cos(kAround + std::numbers::pi / 2), std::sin(kAround + std::numbers::pi / 2), 0},
      Triple{-std::sin(kAbove) * std::cos(kAround), -std::sin(kAbove) * std::sin(kAround),
             std::cos(kAbove)},
      Triple{std::cos(kAbove) * std::cos(kAround), std::cos(kAbove) * std::sin(kAround),
             std::sin(kAbove)}};
  return axes;
}

/// What is seen at a fine pixel.
struct Seen {
  double depth = -std::numeric_limits<double>::infinity();
  Triple normal{};
};

class Canvas {
 public:
  explicit Canvas(int64_t size) : size_(size), seen_(static_cast<size_t>(size * size)) {}

  const Seen& at(int64_t x, int64_t y) const { return seen_[static_cast<size_t>(y * size_ + x)]; }
  bool is_hit(int64_t x, int64_t y) const { return std::isfinite(at(x, y).depth); }
  int64_t size() const { return size_; }

  /// Corners as (x, y, depth) in fine pixels, with their normals.
  void draw(const std::array<Triple, 3>& corners, const std::array<Triple, 3>& normals) {
    const auto& [a, b, c] = corners;
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (area == 0) return;
    const auto bound = [&](size_t axis, bool upper) {
      const double value =
          upper ? std::max({a[axis], b[axis], c[axis]}) : std::min({a[axis], b[axis], c[axis]});
      return std::clamp(static_cast<int64_t>(std::floor(value)), int64_t{0}, size_ - 1);
    };
    for (int64_t y = bound(1, false); y <= bound(1, true); ++y)
      for (int64_t x = bound(0, false); x <= bound(0, true); ++x) {
        const double px = static_cast<double>(x) + 0.5, py = static_cast<double>(y) + 0.5;
        const double v = ((px - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (py - a[1])) / area;
        const double w = ((b[0] - a[0]) * (py - a[1]) - (px - a[0]) * (b[1] - a[1])) / area;
        const double u = 1 - v - w;
        if (u < 0 || v < 0 || w < 0) continue;
        Seen& here = seen_[static_cast<size_t>(y * size_ + x)];
        const double depth = u * a[2] + v * b[2] + w * c[2];
        if (depth <= here.depth) continue;
        here.depth = depth;
        for (size_t k = 0; k < 3; ++k)
          here.normal[k] = u * normals[0][k] + v * normals[1][k] + w * normals[2][k];
        here.normal = unit(here.normal);
      }
  }

 private:
  int64_t size_;
  std::vector<Seen> seen_;
};

Triple row(const Tensor& values, int64_t number) {
  const auto* p = values.data_ptr<double>() + 3 * number;
  return {p[0], p[1], p[2]};
}

/// From space to (x, y, depth) in fine pixels, so that the points fill the picture.
class Projection {
 public:
  Projection(const Tensor& points, int64_t size) : half_(static_cast<double>(size) / 2) {
    constexpr double kFar = std::numeric_limits<double>::infinity(), kFilled = 0.98;
    Triple low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (int64_t p = 0; p < points.size(0); ++p)
      for (size_t k = 0; k < 3; ++k) {
        const double value = dot(view()[k], row(points, p));
        low[k] = std::min(low[k], value);
        high[k] = std::max(high[k], value);
      }
    for (size_t k = 0; k < 3; ++k) centre_[k] = (low[k] + high[k]) / 2;
    scale_ = 2 * kFilled * half_ / std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  }

  Triple operator()(const Triple& p) const {
    const auto along = [&](size_t k) { return scale_ * (dot(view()[k], p) - centre_[k]); };
    return {half_ + along(0), half_ - along(1), along(2)};
  }

 private:
  double half_, scale_ = 1;
  Triple centre_{};
};

Canvas drawn(const PointCloud& mesh, int64_t size) {
  Canvas canvas(size);
  const Tensor points = mesh.points.to(at::kDouble).contiguous();
  const Tensor normals = mesh.normals.to(at::kDouble).contiguous();
  const Tensor faces = mesh.faces.contiguous();
  const Projection project(points, size);
  const auto* corner = faces.data_ptr<int64_t>();
  for (int64_t f = 0; f < faces.size(0); ++f, corner += 3) {
    std::array<Triple, 3> place, normal;
    for (size_t k = 0; k < 3; ++k) {
      place[k] = project(row(points, corner[k]));
      normal[k] = row(normals, corner[k]);
    }
    canvas.draw(place, normal);
  }
  return canvas;
}

/// Where the surface breaks off or bends between this fine pixel and a neighbour.
bool is_edge(const Canvas& canvas, int64_t x, int64_t y) {
  constexpr double kDepthStep = 0.035, kMinCosine = 0.86;
  const Seen& here = canvas.at(x, y);
  const double step = kDepthStep * static_cast<double>(canvas.size());
  for (const auto& [dx, dy] : {std::array<int64_t, 2>{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
    const int64_t i = x + dx, j = y + dy;
    if (i < 0 || j < 0 || i >= canvas.size() || j >= canvas.size()) continue;
    if (!canvas.is_hit(i, j)) return true;
    const Seen& there = canvas.at(i, j);
    if (here.depth - there.depth > step || dot(here.normal, there.normal) < kMinCosine) return true;
  }
  return false;
}

/// Red, green and blue between 0 and 1: each direction of an axis has a colour, and normals between
/// them mix those of the three nearest.
Triple colour(const Triple& normal) {
  constexpr std::array<std::array<Triple, 2>, 3> kColours{
      {{{{0.93, 0.55, 0.33}, {0.45, 0.36, 0.68}}},    // +x, -x
       {{{0.55, 0.33, 0.45}, {0.36, 0.58, 0.86}}},    // +y, -y
       {{{0.95, 0.90, 0.74}, {0.30, 0.33, 0.36}}}}};  // +z, -z
  static const Triple light = unit({0.3, -0.6, 0.75});
  const double lit = 0.6 + 0.42 * std::max(0.0, dot(normal, light));
  Triple result{};
  for (size_t axis = 0; axis < 3; ++axis) {
    const Triple& own = kColours[axis][normal[axis] < 0 ? 1 : 0];
    for (size_t k = 0; k < 3; ++k) result[k] += lit * normal[axis] * normal[axis] * own[k];
  }
  return result;
}

/// To one of a few levels, so that neighbours are alike.
uint32_t rounded(const Triple& rgb) {
  constexpr double kLevels = 20;
  uint32_t result = 0;
  for (const double value : rgb) {
    const double level = std::round(std::clamp(value, 0.0, 1.0) * kLevels) / kLevels;
    result = result << 8U | static_cast<uint32_t>(std::lround(255 * level));
  }
  return result;
}

}  // namespace

report::Picture mesh_picture(const PointCloud& mesh, int64_t size) {
  constexpr double kLine = 0.25;
  const Canvas canvas = drawn(mesh, size * kOversampling);
  report::Picture picture{size, size, {}};
  picture.pixels.reserve(static_cast<size_t>(size * size));
  for (int64_t y = 0; y < size; ++y)
    for (int64_t x = 0; x < size; ++x) {
      Triple sum{};
      double hits = 0;
      for (int64_t k = 0; k < kOversampling * kOversampling; ++k) {
        const int64_t i = x * kOversampling + k % kOversampling;
        const int64_t j = y * kOversampling + k / kOversampling;
        if (!canvas.is_hit(i, j)) continue;
        const Triple shade = colour(canvas.at(i, j).normal);
        const double dim = is_edge(canvas, i, j) ? kLine : 1;
        for (size_t c = 0; c < 3; ++c) sum[c] += dim * shade[c];
        ++hits;
      }
      const bool covered = 2 * hits >= kOversampling * kOversampling;
      picture.pixels.push_back(covered ? rounded({sum[0] / hits, sum[1] / hits, sum[2] / hits})
                                       : report::Picture::kClear);
    }
  return picture;
}

}  // namespace equiframe::inline experiments
