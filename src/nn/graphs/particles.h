#pragma once

#include "equiframe/core/batch.h"

namespace equiframe::inline nn {

/// The input of the n-body models, padding set to zero.
struct Particles {
  Tensor position;  // [B, N, 3]
  Tensor velocity;  // [B, N, 3]
  Tensor charge;    // [B, N, 1]
};
/// Reads "point + vector + scalar" channels, [B, N, 7]; UserError if there are more or fewer.
Particles read_particles(const Batch& batch);

/// `prediction` [B, N, 3] for real particles, their own position for padding.
Tensor keep_padding(const Batch& batch, const Tensor& prediction);

/// The input's positions, moved by displacement [B, N, 3]; padding stays where it is.
Tensor moved_positions(const Batch& batch, const Tensor& displacement);

/// The unordered pairs of different particles of the same item, padding left out, as rows of
/// tensors [B N, ...].
struct ParticlePairs {
  Tensor first;   // [P] int64
  Tensor second;  // [P] int64, the larger one
};
ParticlePairs all_pairs(const Batch& batch);

}  // namespace equiframe::inline nn
