#include "models/clouds/normal_model.h"

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline models {

Tensor NormalModel::forward(const Batch& batch) {
  require_points(batch);
  return batch.size() == 0 ? batch.x : normals_along(directions(batch), batch.mask);
}

void require_points(const Batch& batch) {
  if (batch.x.dim() != 3 || batch.x.size(2) != 3)
    throw UserError(c10::str("a network on clouds takes points [B, N, 3], got ", batch.x.sizes()));
}

Tensor normals_along(const Tensor& directions, const Tensor& mask) {
  const Tensor y = unit_vectors(directions);
  return mask.defined() ? y.masked_fill(mask.logical_not().unsqueeze(-1), 0) : y;
}

Tensor unit_vectors(const Tensor& v) {
  constexpr double kShortest = 1e-4;
  return v / v.norm(2, -1, /*keepdim=*/true).clamp_min(kShortest);
}

Batch centred(const Batch& batch) {
  const Tensor x = batch.x.to(torch::kFloat64);
  if (!batch.mask.defined())
    return batch.with_x((x - x.mean(1, /*keepdim=*/true)).to(batch.x.dtype()));
  const Tensor padding = batch.mask.logical_not().unsqueeze(-1);
  const Tensor count = batch.mask.sum(1).clamp_min(1).view({-1, 1, 1});
  const Tensor mean = x.masked_fill(padding, 0).sum(1, /*keepdim=*/true) / count;
  return batch.with_x((x - mean).masked_fill(padding, 0).to(batch.x.dtype()));
}

int64_t neighbors_option(const Options& options, const std::string& model, int64_t fallback) {
  const int64_t k = options.get_int("k", fallback);
  if (k < 1) throw UserError(model + ": k must be 1 or more, a point is its own first neighbour");
  return k;
}

}  // namespace equiframe::inline models
