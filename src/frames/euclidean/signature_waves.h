// Generic waves that tell sets of points with features apart.
#pragma once

#include <ATen/core/Tensor.h>

#include "equiframe/core/tensor.h"

namespace equiframe::inline frames {

/// cos(x W + b) of rows x [n, C]: the mean over the rows is a number of the set. Two different sets
/// have the same one only by a coincidence of measure zero.
struct SignatureWaves {
  Tensor frequencies;  // W [C, waves] float64
  Tensor phases;       // b [waves]
};

/// The same ones at every call.
SignatureWaves signature_waves(int64_t channels);

}  // namespace equiframe::inline frames
