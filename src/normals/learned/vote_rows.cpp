#include "normals/learned/vote_rows.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

namespace equiframe::inline normals {
namespace {

constexpr int64_t kTold = kernels::kToldNumbers;

/// Root mean square distance of the nearest points; one if they are all in one place.
double unit_of(const double* squared, int64_t k) {
  constexpr int64_t kNearest = 16;
  const int64_t count = std::min(k, kNearest);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += squared[i];
  return sum > 0 ? std::sqrt(sum / static_cast<double>(count)) : 1;
}

void put_told(const float* told, double unit, float* to) {
  to[0] = told[0];
  to[1] = told[1];
  for (int64_t c = 2; c < kTold; ++c)
    to[c] = static_cast<float>(static_cast<double>(told[c]) / unit);
}

}  // namespace

VoteArrays::VoteArrays(const NeighborBlock& block, const FirstNormals& first)
    : count_(block.count), k_(block.k), cloud_(first.cloud.data_ptr<float>()) {
  const auto size = [&](int64_t rows, int64_t columns) {
    return static_cast<size_t>(rows * columns);
  };
  offsets_.resize(size(count_ * k_, 3));
  normals_.resize(size(count_ * k_, 3));
  told_.resize(size(count_ * k_, kTold));
  own_.resize(size(count_, 3));
  own_told_.resize(size(count_, kTold));
  const float* const every_normal = first.normals.data_ptr<float>();
  const float* const every_told = first.told.data_ptr<float>();
  for (int64_t b = 0; b < count_; ++b) {
    const double unit = unit_of(block.squared + k_ * b, k_);
    const int64_t point = block.points[b];
    std::copy_n(every_normal + 3 * point, 3, own_.data() + 3 * b);
    put_told(every_told + kTold * point, unit, own_told_.data() + kTold * b);
    for (int64_t i = k_ * b; i < k_ * (b + 1); ++i) {
      const int64_t neighbor = block.neighbors[i];
      for (int64_t c = 3 * i; c < 3 * i + 3; ++c)
        offsets_[static_cast<size_t>(c)] = static_cast<float>(block.offsets[c] / unit);
      std::copy_n(every_normal + 3 * neighbor, 3, normals_.data() + 3 * i);
      put_told(every_told + kTold * neighbor, unit, told_.data() + kTold * i);
    }
  }
}

kernels::VotePatches<float> VoteArrays::patches() const {
  return {count_,       k_,          offsets_.data(),  normals_.data(),
          told_.data(), own_.data(), own_told_.data(), cloud_};
}

Tensor VoteArrays::rows() const {
  const Tensor result = torch::empty({count_, k_, kVoteChannels}, torch::kFloat32);
  auto* row = result.data_ptr<float>();
  for (int64_t i = 0; i < count_ * k_; ++i, row += kVoteChannels) {
    const int64_t b = i / k_;
    std::copy_n(offsets_.data() + 3 * i, 3, row);
    std::copy_n(normals_.data() + 3 * i, 3, row + 3);
    std::copy_n(own_.data() + 3 * b, 3, row + 6);
    std::copy_n(told_.data() + kTold * i, kTold, row + 9);
    std::copy_n(own_told_.data() + kTold * b, kTold, row + 9 + kTold);
    std::copy_n(cloud_, kernels::kCloudFeatures, row + 9 + 2 * kTold);
  }
  return result;
}

}  // namespace equiframe::inline normals
