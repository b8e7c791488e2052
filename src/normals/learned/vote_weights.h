// The parameters of the model normal-votes as kernels/vote_network.h takes them.
#pragma once

#include <vector>

#include "equiframe/core/tensor.h"
#include "normals/kernels/vote_network.h"
#include "normals/learned/patch_weights.h"

namespace equiframe::inline normals {

/// Tensors of a round in the order the modules register them: own, patch, second, two pooled
/// layers and scores, each a weight and a bias.
inline constexpr size_t kRoundTensors = 12;

/// Views of `parameters`, which must be contiguous and outlive it.
template <class T>
kernels::VoteNetwork<T> vote_network(const std::vector<Tensor>& parameters) {
  kernels::VoteNetwork<T> network;
  for (size_t k = 0; k < parameters.size(); k += kRoundTensors) {
    const auto layer = [&](size_t i) {
      return patch_weights::layer<T>(parameters.data() + k + 2 * i);
    };
    network.rounds.push_back({layer(0), layer(1), layer(2), {layer(3), layer(4)}, layer(5)});
  }
  return network;
}

}  // namespace equiframe::inline normals
