#include "normals/learned/vote_rows.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

namespace equiframe::inline normals {
namespace {

/// Root mean square distance of the nearest points; one if they are all in one place.
double unit_of(const double* squared, int64_t k) {
  constexpr int64_t kNearest = 16;
  const int64_t count = std::min(k, kNearest);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += squared[i];
  return sum > 0 ? std::sqrt(sum / static_cast<double>(count)) : 1;
}

void put_point_stats(const float* stats, double unit, float* to) {
  to[0] = stats[0];
  to[1] = stats[1];
  for (int64_t c = 2; c < kPointStats; ++c)
    to[c] = static_cast<float>(static_cast<double>(stats[c]) / unit);
}

}  // namespace

VoteArrays::VoteArrays(const NeighborBlock& block, const FirstNormals& first)
    : count_(block.count), k_(block.k), cloud_(first.cloud.data_ptr<float>()) {
  const auto size = [&](int64_t rows, int64_t columns) {
    return static_cast<size_t>(rows * columns);
  };
  offsets_.resize(size(count_ * k_, 3));
  normals_.resize(size(count_ * k_, 3));
  point_stats_.resize(size(count_ * k_, kPointStats));
  own_.resize(size(count_, 3));
  own_stats_.resize(size(count_, kPointStats));
  const float* const every_normal = first.normals.data_ptr<float>();
  const float* const every_stats = first.point_stats.data_ptr<float>();
  for (int64_t b = 0; b < count_; ++b) {
    const double unit = unit_of(block.squared + k_ * b, k_);
    const int64_t point = block.points[b];
    std::copy_n(every_normal + 3 * point, 3, own_.data() + 3 * b);
    put_point_stats(every_stats + kPointStats * point, unit, own_stats_.data() + kPointStats * b);
    for (int64_t i = k_ * b; i < k_ * (b + 1); ++i) {
      const int64_t neighbor = block.neighbors[i];
      for (int64_t c = 3 * i; c < 3 * i + 3; ++c)
        offsets_[static_cast<size_t>(c)] = static_cast<float>(block.offsets[c] / unit);
      std::copy_n(every_normal + 3 * neighbor, 3, normals_.data() + 3 * i);
      put_point_stats(every_stats + kPointStats * neighbor, unit,
                      point_stats_.data() + kPointStats * i);
    }
  }
}

kernels::VotePatches<float> VoteArrays::patches() const {
  return {count_,
          k_,
          offsets_.data(),
          normals_.data(),
          point_stats_.data(),
          own_.data(),
          own_stats_.data(),
          cloud_};
}

Tensor VoteArrays::rows() const {
  const Tensor result = torch::empty({count_, k_, kVoteChannels}, torch::kFloat32);
  auto* row = result.data_ptr<float>();
  for (int64_t i = 0; i < count_ * k_; ++i, row += kVoteChannels) {
    const int64_t b = i / k_;
    std::copy_n(offsets_.data() + 3 * i, 3, row);
    std::copy_n(normals_.data() + 3 * i, 3, row + 3);
    std::copy_n(own_.data() + 3 * b, 3, row + 6);
    std::copy_n(point_stats_.data() + kPointStats * i, kPointStats, row + 9);
    std::copy_n(own_stats_.data() + kPointStats * b, kPointStats, row + 9 + kPointStats);
    std::copy_n(cloud_, kernels::kCloudFeatures, row + 9 + 2 * kPointStats);
  }
  return result;
}

}  // namespace equiframe::inline normals
