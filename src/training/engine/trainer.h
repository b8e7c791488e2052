#pragma once

#include "equiframe/training/run.h"

namespace equiframe::inline training {

/// The order of the training set in an epoch: a permutation of 0 ... size - 1, [size] int64.
Tensor epoch_order(int64_t size, uint64_t seed, int64_t epoch);

}  // namespace equiframe::inline training
