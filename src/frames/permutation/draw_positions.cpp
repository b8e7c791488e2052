#include <cmath>
#include <vector>

#include <torch/types.h>

#include "equiframe/frames/generic.h"

namespace equiframe::inline frames {
namespace {

/// Exponential races: the k smallest -log(u_j) / w_j are a weighted sample without replacement
/// (Efraimidis and Spirakis).
void draw_row(const double* weights, int64_t count, int64_t k, uint64_t key, const Rng& rng,
              int64_t* out) {
  std::vector<std::pair<double, int64_t>> arrival;
  for (int64_t j = 0; j < count; ++j) {
    if (weights[j] <= 0) continue;
    const double u =
        (static_cast<double>(rng.bits(key, static_cast<uint64_t>(j)) >> 11U) + 0.5) * 0x1p-53;
    arrival.emplace_back(-std::log(u) / weights[j], j);
  }
  const int64_t taken = std::min<int64_t>(k, static_cast<int64_t>(arrival.size()));
  std::partial_sort(arrival.begin(), arrival.begin() + taken, arrival.end());
  for (int64_t i = 0; i < taken; ++i) out[i] = arrival[static_cast<size_t>(i)].second;
}

}  // namespace

Tensor draw_positions(const Tensor& weights, int64_t k, const Tensor& keys, const Rng& rng) {
  const Tensor rows = weights.to(torch::kFloat64).contiguous();
  const Tensor result = torch::full({rows.size(0), k}, -1, torch::kInt64);
  const auto* w = rows.data_ptr<double>();
  const Tensor key_values = keys.contiguous();
  for (int64_t b = 0; b < rows.size(0); ++b) {
    const auto key = static_cast<uint64_t>(key_values.data_ptr<int64_t>()[b]);
    draw_row(w + b * rows.size(1), rows.size(1), k, key, rng, result.data_ptr<int64_t>() + b * k);
  }
  return result;
}

}  // namespace equiframe::inline frames
