// What tests of Euclidean symmetries start from.
#pragma once

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "equiframe/groups/euclidean.h"

namespace equiframe::test_support {

inline const EuclideanGroup kE3 = EuclideanGroup::E(3);
inline const EuclideanGroup kSE3 = EuclideanGroup::SE(3);

/// Standard normal, float64.
inline Tensor normal(at::IntArrayRef shape, uint64_t seed) {
  auto generator = make_generator(seed);
  return torch::randn(shape, generator, torch::kFloat64);
}

}  // namespace equiframe::test_support
