#include "particle_system.h"

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/models/graph.h"

namespace equiframe {

ParticleSystem particle_system(const Batch& batch, double cutoff) {
  TORCH_CHECK(batch.x.dim() == 3, "particles must be [B, N, 7], got ", batch.x.sizes());
  if (batch.x.size(2) != 7)
    throw UserError(
        c10::str("a particle has 7 channels (position, velocity, charge), but the "
                 "input has ",
                 batch.x.size(2)));
  ParticleSystem particles{batch.x.narrow(2, 0, 3), batch.x.narrow(2, 3, 3),
                           batch.x.narrow(2, 6, 1), batch.neighbors, batch.mask};
  if (particles.neighbors.defined()) return particles;
  particles.neighbors = cutoff > 0 ? radius_graph(particles.position, cutoff, batch.mask)
                                   : complete_graph(batch.size(), batch.nodes(), batch.mask);
  return particles;
}

Tensor ParticleSystem::separations(const Tensor& places) const {
  const Tensor difference = places.unsqueeze(2) - gather_senders(places, neighbors);
  const Tensor absent = neighbors < 0;
  return absent.any().item<bool>() ? difference.masked_fill(absent.unsqueeze(-1), 0) : difference;
}

Tensor ParticleSystem::charge_products() const {
  return charge.unsqueeze(2) * gather_senders(charge, neighbors);
}

Tensor ParticleSystem::neighbor_mean(const Tensor& values) const {
  const Tensor present = neighbors >= 0;
  const Tensor count = present.sum(2, /*keepdim=*/true).clamp_min(1).to(values.dtype());
  return values.masked_fill(present.logical_not().unsqueeze(-1), 0).sum(2) / count;
}

Tensor ParticleSystem::keep_padding(const Tensor& prediction) const {
  return mask.defined() ? torch::where(mask.unsqueeze(-1), prediction, position) : prediction;
}

}  // namespace equiframe
