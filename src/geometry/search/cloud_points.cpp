#include "geometry/search/cloud_points.h"

#include <cmath>
#include <limits>

#include <ATen/ATen.h>

#include "equiframe/core/error.h"

namespace equiframe::inline geometry {
namespace {

constexpr double kLargest = 1e150;  // squares of larger numbers overflow

}  // namespace

Tensor cloud_points(const Tensor& points, const char* what) {
  TORCH_CHECK(points.dim() == 2 && points.size(1) == 3 && points.is_floating_point(), what,
              " must be [N, 3] of float32 or float64, got ", points.sizes(), " of ",
              points.scalar_type());
  if (points.size(0) == 0)
    throw UserError(c10::str(what, " has no points; at least one is needed"));
  if (points.size(0) >= std::numeric_limits<int32_t>::max())
    throw UserError(c10::str(what, " has ", points.size(0),
                             " points, at most 2147483646 can be numbered; cut it into tiles"));
  const Tensor numbers = points.detach().cpu().to(at::kDouble).contiguous();  // [N, 3]
  const double* x = numbers.data_ptr<double>();
  const int64_t count = numbers.numel();
  for (int64_t i = 0; i < count; ++i) {
    if (std::abs(x[i]) <= kLargest) continue;
    throw UserError(c10::str("row ", i / 3, " of ", what, " (counted from 0) holds ", x[i],
                             ", expected a finite number of at most ", kLargest,
                             "; remove such points first"));
  }
  return numbers;
}

}  // namespace equiframe::inline geometry
