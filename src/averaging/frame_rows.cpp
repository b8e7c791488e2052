#include "equiframe/averaging/frame_rows.h"

#include <algorithm>

namespace equiframe::inline averaging {

// Loops over a few numbers: as tensor operations each would cost more than a small frame.

Tensor items_in_order(int64_t batch, int64_t per_item) {
  const Tensor items = at::empty({batch * per_item}, at::kLong);
  auto* item = items.data_ptr<int64_t>();
  for (int64_t b = 0; b < batch; ++b) item = std::fill_n(item, per_item, b);
  return items;
}

bool all_positive(const Tensor& weights) {
  const Tensor dense = weights.contiguous();
  const auto* w = dense.data_ptr<double>();
  return std::all_of(w, w + dense.numel(), [](double weight) { return weight > 0; });
}

bool all_equal(const Tensor& weights) {
  const Tensor dense = weights.contiguous();
  const auto* w = dense.data_ptr<double>();
  return std::all_of(w, w + dense.numel(), [&](double weight) { return weight == w[0]; });
}

int64_t rows_per_call(const Batch& x, int64_t max_bytes, int64_t rows) {
  if (max_bytes <= 0) return rows;
  size_t bytes = x.x.nbytes();
  if (x.pair.defined()) bytes += x.pair.nbytes();
  if (x.edge.defined()) bytes += x.edge.nbytes();
  const auto per_item = static_cast<int64_t>(bytes) / std::max<int64_t>(1, x.size());
  return std::clamp<int64_t>(max_bytes / std::max<int64_t>(1, per_item), 1,
                             std::max<int64_t>(1, rows));
}

}  // namespace equiframe::inline averaging
