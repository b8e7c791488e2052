#include "equiframe/core/batch.h"

#include <torch/types.h>

namespace equiframe {

Tensor point_weights(const Batch& batch) {
  Tensor result;
  if (batch.mask.defined()) result = batch.mask.to(torch::kFloat64);
  if (batch.weights.defined()) {
    const Tensor weights = batch.weights.to(torch::kFloat64);
    result = result.defined() ? result * weights : weights;
  }
  return result;
}

}  // namespace equiframe
