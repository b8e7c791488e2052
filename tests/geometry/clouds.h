// Clouds that make a search for neighbours stumble, and surfaces whose normals are known.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace equiframe::clouds {

class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

struct Cloud {
  std::string name;
  at::Tensor points;  // [N, 3] float64
};

inline at::Tensor uniform(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  at::Tensor points = at::empty({count, 3}, at::kDouble);
  for (int64_t i = 0; i < 3 * count; ++i) points.data_ptr<double>()[i] = coordinate(random);
  return points;
}

/// A grid has ties at every distance.
inline at::Tensor grid(int64_t side) {
  const at::Tensor line = at::arange(side, at::kDouble);
  const auto axes = at::meshgrid({line, line, line}, "ij");
  return at::stack({axes[0].flatten(), axes[1].flatten(), axes[2].flatten()}, 1);
}

/// The rows of `points` in an order that says nothing about where they are.
inline at::Tensor shuffled(const at::Tensor& points, uint64_t seed) {
  std::vector<int64_t> order(static_cast<size_t>(points.size(0)));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return points.index_select(0, at::tensor(order, at::kLong));
}

inline std::vector<Cloud> awkward() {
  const at::Tensor random = uniform(700, 1);
  const at::Tensor scales = at::pow(2, -at::arange(600, at::kDouble) / 8).unsqueeze(1);
  const at::Tensor flat = random * at::tensor({1.0, 1.0, 0.0}, at::kDouble);
  const at::Tensor line =
      random.select(1, 0).unsqueeze(1) * at::tensor({1.0, -2.0, 0.5}, at::kDouble);
  const at::Tensor centres = uniform(5, 2).repeat({120, 1}) * 1e4;
  return {{"random", random},
          {"grid", shuffled(grid(9), 3)},
          {"thrice", shuffled(uniform(200, 4).repeat({3, 1}), 5)},
          {"coincident", at::ones({300, 3}, at::kDouble)},
          {"half coincident", shuffled(at::cat({at::zeros({300, 3}, at::kDouble), random}), 6)},
          {"line", line},
          {"plane", flat},
          {"clusters", centres + uniform(600, 7)},
          {"many scales", uniform(600, 8) * scales},
          {"far away", uniform(500, 9) + at::tensor({5e5, 5.4e6, 300.0}, at::kDouble)}};
}

/// Points of a surface with its normals there.
struct Surface {
  at::Tensor points, normals;  // [N, 3]
};

using Draw = std::function<void(std::mt19937_64&, double* x, double* n)>;

inline Surface surface(int64_t count, uint64_t seed, const Draw& draw) {
  std::mt19937_64 random(seed);
  Surface result{at::empty({count, 3}, at::kDouble), at::empty({count, 3}, at::kDouble)};
  for (int64_t i = 0; i < count; ++i)
    draw(random, result.points.data_ptr<double>() + 3 * i,
         result.normals.data_ptr<double>() + 3 * i);
  return result;
}

/// Of radius one about the origin.
inline Surface sphere(int64_t count, uint64_t seed) {
  return surface(count, seed, [](std::mt19937_64& random, double* x, double* n) {
    std::normal_distribution<double> normal;
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) squared += std::pow(n[axis] = normal(random), 2);
    for (int axis = 0; axis < 3; ++axis) x[axis] = n[axis] /= std::sqrt(squared);
  });
}

/// Radii two and one, around z.
inline Surface torus(int64_t count, uint64_t seed) {
  return surface(count, seed, [](std::mt19937_64& random, double* x, double* n) {
    std::uniform_real_distribution<double> unit(0, 1);
    const double around = 2 * std::numbers::pi * unit(random);
    double across = 0;
    do across = 2 * std::numbers::pi * unit(random);
    while (3 * unit(random) > 2 + std::cos(across));
    n[0] = std::cos(around) * std::cos(across);
    n[1] = std::sin(around) * std::cos(across);
    n[2] = std::sin(across);
    x[0] = 2 * std::cos(around) + n[0];
    x[1] = 2 * std::sin(around) + n[1];
    x[2] = n[2];
  });
}

/// A box with one corner at the origin; faces are hit in proportion to their areas.
inline Surface box(int64_t count, uint64_t seed, double a, double b, double c) {
  return surface(count, seed, [=](std::mt19937_64& random, double* x, double* n) {
    std::uniform_real_distribution<double> unit(0, 1);
    std::discrete_distribution<int> face{b * c, a * c, a * b};
    const double size[3] = {a, b, c};
    const int across = face(random);
    for (int axis = 0; axis < 3; ++axis) {
      n[axis] = 0;
      x[axis] = size[axis] * unit(random);
    }
    const bool far = unit(random) < 0.5;
    x[across] = far ? size[across] : 0;
    n[across] = far ? 1 : -1;
  });
}

/// `deviation` times a standard normal number added to every coordinate.
inline Surface noisy(Surface clean, double deviation, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  clean.points = clean.points.clone();
  for (int64_t i = 0; i < clean.points.numel(); ++i)
    clean.points.data_ptr<double>()[i] += deviation * normal(random);
  return clean;
}

/// Root mean square angle between lines, in degrees.
inline double rms_angle(const at::Tensor& normals, const at::Tensor& expected) {
  const at::Tensor cosine = (normals.to(at::kDouble) * expected).sum(1).abs().clamp_max(1);
  return at::acos(cosine).square().mean().sqrt().item<double>() * 180 / std::numbers::pi;
}

/// The part of normals on the side of `expected`.
inline double agreeing(const at::Tensor& normals, const at::Tensor& expected) {
  return ((normals.to(at::kDouble) * expected).sum(1) > 0).to(at::kDouble).mean().item<double>();
}

}  // namespace equiframe::clouds
