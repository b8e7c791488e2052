#pragma once

#include <torch/nn/modules/linear.h>

namespace equiframe::inline nn {

/// x W^T, for layers that are followed by a normalisation or must commute with rotations.
inline torch::nn::Linear without_bias(int64_t in, int64_t out) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(false));
}

}  // namespace equiframe::inline nn
