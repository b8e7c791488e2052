// Vector neurons (Deng et al., ICCV 2021): features are C vectors of R^3, as rows [R, 3, C], and
// layers act on the channels alike for all three components, which makes them O(3)-equivariant.
#pragma once

#include "nn/clouds/edge_pool.h"

namespace equiframe::inline nn {

inline constexpr double kVectorEps = 1e-6;

/// v [R, 3, in] times W^T: all vectors in one product. W [out, in].
Tensor map_vectors(const Tensor& v, const Tensor& weight);

/// <V_c, z_k>, the coordinates of the channels in a frame Z [R, 3, 3] whose columns are z_k:
/// [R, C * 3], invariant if both turn.
Tensor project(const Tensor& v, const Tensor& frame);

/// A linear map, batch norm of the lengths, and the leaky ReLU of vectors with learned directions:
///   q = W v,  q' = q / n norm(n) with n = |q| + eps,  d = U v,
///   y = q' where <q', d> >= 0, else q' - (1 - slope) <q', d> / (|d|^2 + eps) d.
class VectorBlock final : public torch::nn::Module {
 public:
  enum class Directions { kOwn, kShared };  ///< one for each channel, or one for all

  VectorBlock(int64_t in, int64_t out, double slope, Directions directions = Directions::kOwn);

  Tensor forward(const Tensor& v) { return finish(map_vectors(v, weights())); }
  /// For v with further channels that all points of a cloud share: v [R, 3, a], shared [M, 3, b].
  Tensor forward(const PackedPoints& rows, const Tensor& v, const Tensor& shared);
  /// For channels [V_j - V_i, V_i] of the edges of v [R, 3, in / 2]: [R, k, 3, out].
  Tensor forward_edges(const Tensor& v, const Tensor& neighbors);

  /// y of q and d side by side, [R, 3, out + directions].
  Tensor finish(const Tensor& both);
  /// W over U.
  Tensor weights() const;

 private:
  double slope_;
  torch::nn::Linear map_{nullptr}, direction_{nullptr};
  std::shared_ptr<RowNorm> norm_;
};

/// Batch norm of the lengths alone.
Tensor normalize_vectors(const Tensor& v, RowNorm& norm);

/// Pooling of vectors [G, L, 3, C] over L: their mean, or for each channel the vector that points
/// farthest along a direction U v. `mask` [G, L] leaves some out. As published, the choice has no
/// gradient, so U stays what it was drawn as.
class VectorPool final : public torch::nn::Module {
 public:
  VectorPool(int64_t channels, Pool pool);
  Tensor forward(const Tensor& v, const Tensor& mask = {});

 private:
  Tensor farthest(const Tensor& v, const Tensor& mask);  // [G, 1, C] int64

  torch::nn::Linear direction_{nullptr};  // null: the mean
};

/// VN-Std-Feature: three equivariant vectors for each point, Z [R, 3, 3], columns z_k.
class VectorFrame final : public torch::nn::Module {
 public:
  VectorFrame(int64_t channels, double slope);
  /// v [R, 3, a] and shared [M, 3, b], a + b = channels.
  Tensor forward(const PackedPoints& rows, const Tensor& v, const Tensor& shared);

 private:
  std::shared_ptr<VectorBlock> first_, second_;
  torch::nn::Linear last_{nullptr};
};

}  // namespace equiframe::inline nn
