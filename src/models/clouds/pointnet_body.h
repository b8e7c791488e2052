#pragma once

#include <array>

#include "nn/clouds/transform_net.h"

namespace equiframe::inline models {

/// PointNet for a vector at each point: five layers L1 ... L5 on points, the maximum of L5 over the
/// cloud, and a head 256-256-128-3 on [max, L1, ..., L5]. Every layer has batch norm and ReLU but
/// L5, which has no ReLU, and the last, which has neither.
class PointNetBody final : public torch::nn::Module {
 public:
  using Widths = std::array<int64_t, 5>;
  static constexpr Widths kPublished{64, 128, 128, 512, 2048};
  /// Whether a T-Net turns L3 on its way to L4; the head sees L3 as it was.
  enum class FeatureTransform { kNone, kLearned };

  PointNetBody(int64_t in, const Widths& widths,
               FeatureTransform transform = FeatureTransform::kNone);

  /// x [R, in] -> [R, 3].
  Tensor forward(const PackedPoints& rows, const Tensor& x);
  /// The transforms of L3 of the last `forward` in training, [M, d, d].
  const Tensor& transforms() const { return transforms_; }

 private:
  /// W [max, L1, ..., L5] + b without putting the parts side by side: the part that a cloud shares
  /// is multiplied once for all of its points.
  Tensor joined(const PackedPoints& rows, const Tensor& of_cloud, const std::vector<Tensor>& parts);

  std::vector<std::shared_ptr<NormLinear>> trunk_, head_;
  torch::nn::Linear last_{nullptr};
  std::shared_ptr<TransformNet> transform_net_;
  Tensor transforms_;
};

}  // namespace equiframe::inline models
