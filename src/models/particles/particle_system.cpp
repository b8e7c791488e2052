#include "models/particles/particle_system.h"

#include <torch/types.h>

#include "nn/graphs/graph.h"

namespace equiframe::inline models {

ParticleSystem particle_system(const Batch& batch, double cutoff) {
  ParticleSystem particles{read_particles(batch), batch.neighbors};
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

}  // namespace equiframe::inline models
