#include "geometry/search/k_nearest.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "core/parallel.h"
#include "geometry/kernels/nearest.h"

namespace equiframe::inline geometry {
namespace {

constexpr int64_t kRows = 512;  // that a thread takes at once

template <class T>
void fill(const Tensor& features, const bool* mask, const Tensor& indices) {
  const int64_t n = features.size(1), width = features.size(2), k = indices.size(2);
  const int64_t parts = (n + kRows - 1) / kRows;
  const T* values = features.data_ptr<T>();
  auto* results = indices.data_ptr<int64_t>();
  for_each_part(features.size(0) * parts, [&](int64_t part) {
    const int64_t item = part / parts, first = part % parts * kRows;
    const kernels::PointRows<T> rows{.values = values + item * n * width,
                                     .present = mask == nullptr ? nullptr : mask + item * n,
                                     .count = n,
                                     .width = width};
    kernels::nearest_rows(rows, first, std::min(n, first + kRows), k,
                          results + (item * n + first) * k);
  });
}

}  // namespace

Tensor k_nearest(const Tensor& features, int64_t k, const Tensor& mask) {
  TORCH_CHECK(features.dim() == 3, "k_nearest: features must be [B, N, C], got ", features.sizes());
  TORCH_CHECK(features.scalar_type() == at::kFloat || features.scalar_type() == at::kDouble,
              "k_nearest: features must be float32 or float64, got ", features.scalar_type());
  TORCH_CHECK(k >= 1, "k_nearest: k must be at least 1, got ", k);
  TORCH_CHECK(!mask.defined() ||
                  (mask.scalar_type() == at::kBool && mask.sizes() == features.sizes().slice(0, 2)),
              "k_nearest: the mask must be bool and [B, N]");
  const Tensor rows = features.detach().cpu().contiguous();
  const Tensor present = mask.defined() ? mask.cpu().contiguous() : mask;
  const Tensor indices = at::empty({rows.size(0), rows.size(1), k}, at::kLong);
  const bool* presence = present.defined() ? present.data_ptr<bool>() : nullptr;
  if (rows.scalar_type() == at::kFloat) {
    fill<float>(rows, presence, indices);
  } else {
    fill<double>(rows, presence, indices);
  }
  return indices;
}

}  // namespace equiframe::inline geometry
