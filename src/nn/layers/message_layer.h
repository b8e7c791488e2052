#pragma once

#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// One layer of message passing on batches of graphs, the layer GNN, EGNN and FA-GNN share:
///   m_ij = SiLU(W2 SiLU(W1 [h_i, h_j, e_ij] + b1) + b2),   h_i' = h_i + W4 SiLU(W3 [h_i, sum_j
///   m_ij] + b3) + b4
/// computed by one fused kernel (kernels/message_layer.h) in float32 or float64. It has first
/// derivatives only; `plain` is the same layer in ordinary tensor operations, any number of times
/// differentiable.
class MessageLayer final : public torch::nn::Module {
 public:
  struct Shape {
    int64_t width = 64;   ///< C, channels of h
    int64_t hidden = 64;  ///< H, channels of the messages and hidden layers
    int64_t feature = 1;  ///< E, channels of e
  };
  struct Output {
    Tensor h;         ///< [B, N, C]
    Tensor messages;  ///< [B, N, D, H]; undefined unless asked for
  };
  enum class Messages { kDropped, kReturned };

  explicit MessageLayer(const Shape& shape);

  /// h [B, N, C]; neighbors [B, N, D] int64, -1 = none; edge [B, N, D, E].
  Output forward(const Tensor& h, const Tensor& neighbors, const Tensor& edge,
                 Messages messages = Messages::kDropped);
  /// With S_k = diag(signs[k]) on every d channels in turn, signs [K, d]: the average
  /// mean_k S_k f(S_k h) [B, N, C]. What the copies share is computed once.
  Tensor flip_average(const Tensor& h, const Tensor& neighbors, const Tensor& edge,
                      const Tensor& signs);

  /// mean_k S_k (L SiLU(D f(S_k h) + d) + l), the average behind a decoder of `hidden` = (D, d), H
  /// wide, and `last` = (L, l).
  Tensor decoded_flip_average(const torch::nn::Linear& hidden, const torch::nn::Linear& last,
                              const Tensor& h, const Tensor& neighbors, const Tensor& edge,
                              const Tensor& signs);

  /// mean_k S_k f(E S_k x + b), the average behind a linear embedding, x [B, N, c].
  Tensor embedded_flip_average(const torch::nn::Linear& embedding, const Tensor& x,
                               const Tensor& neighbors, const Tensor& edge, const Tensor& signs);

  Output plain(const Tensor& h, const Tensor& neighbors, const Tensor& edge);

 private:
  void check(const Tensor& h, const Tensor& neighbors, const Tensor& edge) const;
  std::vector<Tensor> weights() const;

  Shape shape_;
  torch::nn::Linear edge1_, edge2_, node1_, node2_;
};

}  // namespace equiframe::inline nn
