// A kd-tree over a cloud, in the arrays of kernels::KdTree.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/kernels/nearest.h"

namespace equiframe::inline geometry {

constexpr int64_t kLeaf = kernels::kLeafPoints;

struct KdTreeArrays {
  std::vector<double> points;
  std::vector<int32_t> numbers;
  std::vector<double> boxes;

  int64_t leaves() const { return static_cast<int64_t>(numbers.size()) / kLeaf; }
  kernels::KdTree view() const { return {points.data(), numbers.data(), boxes.data(), leaves()}; }
};

/// Splits `points` [count, 3] at the median of the longest side of their box, again and again.
KdTreeArrays build_kd_tree(const double* points, int64_t count);

}  // namespace equiframe::inline geometry
