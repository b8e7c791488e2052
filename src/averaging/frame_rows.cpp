#include "equiframe/averaging/frame_rows.h"

#include <algorithm>

namespace equiframe {

int64_t rows_per_call(const Batch& x, int64_t max_bytes, int64_t rows) {
  if (max_bytes <= 0) return rows;
  size_t bytes = x.x.nbytes();
  if (x.pair.defined()) bytes += x.pair.nbytes();
  if (x.edge.defined()) bytes += x.edge.nbytes();
  const auto per_item = static_cast<int64_t>(bytes) / std::max<int64_t>(1, x.size());
  return std::clamp<int64_t>(max_bytes / std::max<int64_t>(1, per_item), 1,
                             std::max<int64_t>(1, rows));
}

}  // namespace equiframe
