#pragma once

#include "nn/clouds/packed_points.h"
#include "nn/layers/row_norm.h"

namespace equiframe::inline nn {

/// The T-Net of PointNet: a d x d matrix for each cloud, I + what a small PointNet says.
class TransformNet final : public torch::nn::Module {
 public:
  explicit TransformNet(int64_t channels);
  /// rows [R, d] -> [M, d, d], to multiply rows from the right.
  Tensor forward(const PackedPoints& rows, const Tensor& x);

 private:
  int64_t channels_;
  std::vector<std::shared_ptr<NormLinear>> of_points_, of_clouds_;
  torch::nn::Linear last_{nullptr};
};

/// mean over the clouds of |T T^T - I|_F^2, T [M, d, d].
Tensor orthogonality(const Tensor& transforms);
/// mean over the clouds of |T (T^T - I)|_F: the bracket as in the published code, not squared.
Tensor published_orthogonality(const Tensor& transforms);

}  // namespace equiframe::inline nn
