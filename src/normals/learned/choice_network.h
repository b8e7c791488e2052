#pragma once

#include <vector>

#include "equiframe/models/model.h"
#include "nn/kernels/perceptron.h"

namespace equiframe::inline normals {

/// The model `normal-choice` without tensors in between, in float32.
class ChoiceNetwork {
 public:
  /// Takes a copy of the weights. Throws UserError for other kinds of models.
  explicit ChoiceNetwork(const Model& model);

  /// `rows` [count, kernels::kChoiceChannels] -> [count, 3], unit, of any sign.
  std::vector<float> choose(int64_t count, const float* rows) const;

 private:
  std::vector<Tensor> parameters_;
  std::vector<kernels::DenseLayer<float>> layers_;
};

}  // namespace equiframe::inline normals
