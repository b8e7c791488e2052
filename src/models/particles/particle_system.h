#pragma once

#include "nn/graphs/particles.h"

namespace equiframe::inline models {

/// Particles and who hears whom, as lists of neighbours for the fused layers.
struct ParticleSystem : Particles {
  Tensor neighbors;  // [B, N, D] int64, -1 = none

  /// r_ij = x_i - x_j of the neighbours j, [B, N, D, 3]; zero where there is none.
  Tensor separations(const Tensor& places) const;
  /// q_i q_j, [B, N, D, 1].
  Tensor charge_products() const;
  /// The mean over each node's neighbours of values [B, N, D, C]; zero for a node without any.
  Tensor neighbor_mean(const Tensor& values) const;
};

/// Neighbours are those of the batch if it has them, else all within `cutoff`, else (0) all others.
ParticleSystem particle_system(const Batch& batch, double cutoff = 0);

}  // namespace equiframe::inline models
