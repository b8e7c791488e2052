#pragma once

#include <cstdint>

#include <ATen/core/Generator.h>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline core {

/// A position in counter-based randomness: (seed, stream) names a whole family of draws, and each
/// item of a batch has its own (see `item_keys`). Nothing is advanced by drawing, so results do not
/// depend on the batch an item sits in, nor on threads.
struct EQUIFRAME_API Rng {
  uint64_t seed = 0;
  uint64_t stream = 0;  ///< e.g. the training step

  /// 64 well-mixed bits for draw number `counter` of item `key`.
  uint64_t bits(uint64_t key, uint64_t counter) const;
  /// Uniform in [0, bound), without modulo bias worth measuring (bound < 2^32: bias < 2^-32).
  uint64_t below(uint64_t bound, uint64_t key, uint64_t counter) const;
};

/// An explicit LibTorch generator.
EQUIFRAME_API at::Generator make_generator(uint64_t seed);

/// One key per item of `x` [B, ...], int64 [B]: `id` if defined, otherwise a hash of the item's
/// values, so that an item keeps its draws in whatever batch it comes.
EQUIFRAME_API Tensor item_keys(const Tensor& x, const Tensor& id);

}  // namespace equiframe::inline core
