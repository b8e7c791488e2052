#pragma once

#include "nn/clouds/edge_convolution.h"

namespace equiframe::inline models {

/// DGCNN for a vector in (-1, 1)^3 at each point: three edge convolutions on graphs of nearest
/// neighbours in the space of their inputs, a global feature, and a head 256-256-128-3.
class DgcnnBody final : public torch::nn::Module {
 public:
  /// What differs between the networks.
  struct Shape {
    int64_t k = 40;
    Pool pool = Pool::kMax;  ///< over neighbours and over points
    bool tnet = true;        ///< a 3 x 3 matrix for each cloud turns the input; it pools by maximum
    bool coordinates = false;  ///< the global feature sees the input's coordinates too
    /// The second dropout stands before the layer of 128, or behind it.
    enum class SecondDropout { kBefore128, kBehind128 } second_dropout = SecondDropout::kBefore128;
  };

  explicit DgcnnBody(const Shape& shape);

  /// x [R, 3] -> [R, 3].
  Tensor forward(const PackedPoints& rows, const Tensor& x);

 private:
  /// The T-Net of DGCNN: [M, 3, 3], the identity when it is made.
  Tensor transforms(const PackedPoints& rows, const Tensor& x);
  Tensor pooled(const PackedPoints& rows, const Tensor& h) const;
  Tensor dropout(const Tensor& h) const;

  Shape shape_;
  std::shared_ptr<EdgeConvolution> tnet_edges_;
  std::vector<std::shared_ptr<NormLinear>> tnet_;
  torch::nn::Linear tnet_last_{nullptr};
  std::vector<std::shared_ptr<EdgeConvolution>> edges_;
  std::shared_ptr<NormLinear> global_;
  std::vector<std::shared_ptr<NormLinear>> head_;
  torch::nn::Linear last_{nullptr};
};

}  // namespace equiframe::inline models
