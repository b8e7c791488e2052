#pragma once

#include "equiframe/core/backbone.h"
#include "equiframe/export.h"

namespace equiframe::inline averaging {

/// A backbone that knows a faster way to average itself over reflections of the axes than to be
/// evaluated on each reflected copy. Frames whose elements differ by such flips (`pca`) use it:
///   sum_k w rho_out(V S_k) Phi(rho_in(V S_k)^-1 X) = rho_out(V) mean_k rho_out(S_k)
///   Phi(rho_in(S_k) rho_in(V)^-1 X).
class EQUIFRAME_API FlipBackbone : public Backbone {
 public:
  /// mean_k rho_out(S_k) Phi(rho_in(S_k) x), S_k = diag(flips[k]); flips: [K, d] of +-1 in x's
  /// type.
  virtual Tensor flip_average(const Batch& batch, const Tensor& flips) = 0;
};

}  // namespace equiframe::inline averaging
