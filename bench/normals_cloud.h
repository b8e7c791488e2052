/// What benchmarks of normals share: a scan-like cloud, and our side of the comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench.h"
#include "normals/classical/classical_normals.h"

namespace equiframe::bench {

/// A torus in no particular order, with noise of a fifth of the distance between points: [N, 3]
/// float64.
inline at::Tensor scanned_torus(int64_t count) {
  constexpr double kPi = std::numbers::pi, kNoise = 0.2;
  const double spacing = std::sqrt(8 * kPi * kPi / static_cast<double>(count));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angle(0, 2 * kPi);
  std::normal_distribution<double> noise(0, kNoise * spacing);
  at::Tensor points = at::empty({count, 3}, at::kDouble);
  double* x = points.data_ptr<double>();
  for (int64_t i = 0; i < count; ++i, x += 3) {
    const double around = angle(random), across = angle(random);
    const double radius = 2 + std::cos(across);
    x[0] = radius * std::cos(around) + noise(random);
    x[1] = radius * std::sin(around) + noise(random);
    x[2] = std::sin(across) + noise(random);
  }
  return points;
}

/// Both sides on one thread, then on two, where the clock on the wall counts; `reference` takes the
/// number of threads. The search structures are built anew each time, on both sides.
inline Row normals_row(const std::string& name, const at::Tensor& points, int64_t k,
                       const std::function<void(int threads)>& reference) {
  constexpr double kTarget = 1;  // at least as fast
  constexpr int kRounds = 3;
  const auto ours = [&] { pca_normals(points, k); };
  Row row{.name = c10::str("PCA normals against ", name, ", ", points.size(0), " points, k = ", k),
          .goal = Goal::kSpeedup,
          .target = kTarget};
  row.ours = row.reference = HUGE_VAL;
  double two = HUGE_VAL, reference_two = HUGE_VAL;
  for (int round = 0; round < kRounds; ++round) {
    row.ours = std::min(row.ours, seconds(ours));
    row.reference = std::min(row.reference, seconds([&] { reference(1); }));
    at::set_num_threads(2);
    two = std::min(two, wall_seconds(ours));
    reference_two = std::min(reference_two, wall_seconds([&] { reference(2); }));
    at::set_num_threads(1);
  }
  row.facts["two_threads_wall_seconds"] = two;
  row.facts["two_threads_reference_wall_seconds"] = reference_two;
  return row;
}

}  // namespace equiframe::bench
