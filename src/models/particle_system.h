// What the models of particle systems read from a batch "point + vector + scalar".
#pragma once

#include "equiframe/core/batch.h"

namespace equiframe {

struct ParticleSystem {
  Tensor position;   // [B, N, 3]
  Tensor velocity;   // [B, N, 3]
  Tensor charge;     // [B, N, 1]
  Tensor neighbors;  // [B, N, D] int64, -1 = none
  Tensor mask;       // [B, N] bool or undefined

  /// r_ij = x_i - x_j of the neighbours j, [B, N, D, 3]; zero where there is none.
  Tensor separations(const Tensor& places) const;
  /// q_i q_j, [B, N, D, 1].
  Tensor charge_products() const;
  /// The mean over each node's neighbours of values [B, N, D, C]; zero for a node without any.
  Tensor neighbor_mean(const Tensor& values) const;
  /// `prediction` for real particles, their own position for padding.
  Tensor keep_padding(const Tensor& prediction) const;
};

/// Neighbours are those of the batch if it has them, else all within `cutoff`, else (0) all others.
ParticleSystem particle_system(const Batch& batch, double cutoff = 0);

}  // namespace equiframe
