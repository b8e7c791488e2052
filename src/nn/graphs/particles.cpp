#include "nn/graphs/particles.h"

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline nn {
namespace {

Tensor without_padding(const Batch& batch, const Tensor& values, double filler) {
  if (!batch.mask.defined()) return values;
  return torch::where(batch.mask.unsqueeze(-1), values,
                      torch::scalar_tensor(filler, values.options()));
}

}  // namespace

Particles read_particles(const Batch& batch) {
  TORCH_CHECK(batch.x.dim() == 3, "n-body models: x must be [B, N, 7], got ", batch.x.sizes());
  if (batch.x.size(2) != 7)
    throw UserError(
        c10::str("a particle has 7 channels (position, velocity, charge), but the input has ",
                 batch.x.size(2)));
  const Tensor x = without_padding(batch, batch.x, 0);
  return {x.narrow(2, 0, 3), x.narrow(2, 3, 3), x.narrow(2, 6, 1)};
}

Tensor keep_padding(const Batch& batch, const Tensor& prediction) {
  if (!batch.mask.defined()) return prediction;
  return torch::where(batch.mask.unsqueeze(-1), prediction, batch.x.narrow(2, 0, 3));
}

Tensor moved_positions(const Batch& batch, const Tensor& displacement) {
  return batch.x.narrow(2, 0, 3) + without_padding(batch, displacement, 0);
}

ParticlePairs all_pairs(const Batch& batch) {
  const int64_t items = batch.size(), n = batch.nodes();
  const Tensor corner = torch::triu_indices(n, n, 1);                   // [2, n (n - 1) / 2]
  const Tensor start = (torch::arange(items) * n).view({1, items, 1});  // of each item
  Tensor pairs = (corner.unsqueeze(1) + start).flatten(1);              // [2, P]
  if (batch.mask.defined()) {
    const Tensor real = batch.mask.flatten().index_select(0, pairs.flatten()).view_as(pairs);
    pairs = pairs.index_select(1, real.all(0).nonzero().squeeze(1));
  }
  return {pairs[0].contiguous(), pairs[1].contiguous()};
}

}  // namespace equiframe::inline nn
