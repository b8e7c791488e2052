#pragma once

#include "nn/clouds/edge_pool.h"

namespace equiframe::inline nn {

/// An edge convolution of DGCNN: one or two layers on [x_j - x_i, x_i] for the neighbours j of i,
/// each with batch norm and leaky ReLU, pooled over j. The map is split into its parts,
///   A (x_j - x_i) + B x_i = A x_j + (B - A) x_i,
/// which are computed for points and not for edges; its weight keeps the published shape [A, B].
class EdgeConvolution final : public torch::nn::Module {
 public:
  /// `widths`: of the points, and of one or two layers, multiples of 16.
  EdgeConvolution(const std::vector<int64_t>& widths, Pool pool);

  /// x [R, in], neighbors [R, k] -> [R, out].
  Tensor forward(const PackedPoints& rows, const Tensor& x, const Tensor& neighbors);

 private:
  /// P and Q scaled and shifted so that their sum over an edge is normalised.
  Edges normalized_edges(const PackedPoints& rows, const Edges& edges);

  Pool pool_;
  torch::nn::Linear first_{nullptr}, second_{nullptr};
  std::shared_ptr<RowNorm> first_norm_, second_norm_;
};

}  // namespace equiframe::inline nn
