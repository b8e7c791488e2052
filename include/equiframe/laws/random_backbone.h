#pragma once

#include <vector>

#include <ATen/core/Generator.h>

#include "equiframe/core/batch.h"

namespace equiframe::inline laws {

/// A random network of the whole input at once: it has no symmetry of any kind, not even under
/// reordering of the nodes, so whatever symmetry an average of it shows is the average's doing.
/// x [M, ...] (and pair, if there) -> [M, *out_shape]. Computes in the type of x.
class RandomMlp {
 public:
  RandomMlp(int64_t in_values, std::vector<int64_t> out_shape, at::Generator& generator,
            int64_t hidden = 32);
  Tensor operator()(const Batch& batch) const;

 private:
  Tensor first_, first_bias_, last_, last_bias_;
  std::vector<int64_t> out_shape_;
};

/// A random network that is equivariant under reordering of the nodes and nothing else:
/// y_i = W2 tanh(W1 x_i + mean_j tanh(W3 x_j)); x [M, N, C] -> [M, N, out]. Respects the mask.
class RandomSetNetwork {
 public:
  RandomSetNetwork(int64_t in_channels, int64_t out_channels, at::Generator& generator,
                   int64_t hidden = 32);
  Tensor operator()(const Batch& batch) const;

 private:
  Tensor node_, context_, last_, bias_;
};

}  // namespace equiframe::inline laws
