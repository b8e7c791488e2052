// Systems of particles for the tests of models.
#pragma once

#include <torch/types.h>

#include "equiframe/core/batch.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe {

/// [B, N, 7]: normal positions and velocities, charges of either sign.
inline Tensor random_particles(int64_t batch, int64_t nodes, c10::ScalarType type) {
  Tensor x = torch::randn({batch, nodes, 7}, torch::kFloat64);
  x.narrow(2, 0, 3) *= 2;  // far enough apart for dynamics that chaos does not blur
  x.select(2, 6).sign_();
  return x.to(type);
}

/// The particles turned (or reflected) and moved, computed in float64.
inline Tensor moved(const Tensor& x, const Tensor& turn, const Tensor& shift) {
  const Tensor wide = x.to(torch::kFloat64);
  const Tensor p = wide.narrow(2, 0, 3).matmul(turn.t()) + shift;
  const Tensor v = wide.narrow(2, 3, 3).matmul(turn.t());
  return torch::cat({p, v, wide.narrow(2, 6, 1)}, 2).to(x.dtype());
}

inline Tensor random_turn(EuclideanGroup::Linear linear, uint64_t seed) {
  at::Generator generator = make_generator(seed);
  return haar_orthogonal(3, linear, 1, generator)[0];
}

}  // namespace equiframe
