#include <ATen/ATen.h>

#include "equiframe/core/error.h"
#include "equiframe/datasets/cad_set.h"

namespace equiframe::inline datasets {

ShapeSamples Shape::sample(int64_t points, uint64_t draw) const {
  if (points < 0) throw UserError(c10::str("cannot draw ", points, " points; ask for 0 or more"));
  return compute_samples(points, draw);
}

}  // namespace equiframe::inline datasets
