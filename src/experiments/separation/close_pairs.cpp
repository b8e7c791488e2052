#include <algorithm>
#include <cmath>
#include <numeric>

#include <torch/types.h>

#include "experiments/separation/separation.h"

namespace equiframe::inline experiments {
namespace {

/// Whether two rows are at most `radius` apart, in float64.
bool close(const float* a, const float* b, int64_t width, double radius) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k)
    sum += std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k]));
  return sum <= radius;
}

/// The column that spreads rows most: the fewest neighbours within `radius` along it.
int64_t sweep_column(const Tensor& rows, double radius) {
  const Tensor sorted = std::get<0>(rows.sort(0)).contiguous();
  int64_t best = 0, fewest = INT64_MAX;
  for (int64_t c = 0; c < rows.size(1); ++c) {
    const Tensor column = sorted.select(1, c).contiguous();
    const float* value = column.data_ptr<float>();
    int64_t near = 0;
    for (int64_t low = 0, high = 0; high < column.size(0); ++high) {
      while (value[high] - value[low] > radius) ++low;
      near += high - low;
    }
    if (near < fewest) fewest = near, best = c;
  }
  return best;
}

}  // namespace

std::vector<IndexPair> close_pairs(const Tensor& embeddings, double radius) {
  const Tensor rows = embeddings.to(torch::kFloat32).contiguous();
  const int64_t n = rows.size(0), width = rows.size(1);
  std::vector<IndexPair> pairs;
  if (n < 2) return pairs;
  const int64_t column = sweep_column(rows, radius);
  const float* data = rows.data_ptr<float>();
  std::vector<int32_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [=](int32_t a, int32_t b) {
    return data[a * width + column] < data[b * width + column];
  });
  for (size_t i = 0; i < order.size(); ++i) {
    const float* row = data + order[i] * width;
    for (size_t j = i + 1; j < order.size(); ++j) {
      const float* other = data + order[j] * width;
      if (static_cast<double>(other[column]) - static_cast<double>(row[column]) > radius) break;
      if (close(row, other, width, radius))
        pairs.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<IndexPair> still_close(const std::vector<IndexPair>& pairs, const Tensor& embeddings,
                                   double radius) {
  const Tensor rows = embeddings.to(torch::kFloat32).contiguous();
  const int64_t width = rows.size(1);
  const float* data = rows.data_ptr<float>();
  std::vector<IndexPair> left;
  for (const IndexPair& pair : pairs)
    if (close(data + pair[0] * width, data + pair[1] * width, width, radius)) left.push_back(pair);
  return left;
}

}  // namespace equiframe::inline experiments
