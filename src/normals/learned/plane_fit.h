#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline normals {

/// The plane through weighted points, by least squares.
struct PlaneFit {
  Tensor normal;  ///< [B, 3] unit, of either sign
  Tensor values;  ///< [B, 3] ascending eigenvalues of the covariance sum_i w_i (x_i - m)(x_i - m)^T
  Tensor mean;    ///< [B, 3]
  Tensor axes;    ///< [B, 3, 3]: columns, as the values; the first is the normal
};

/// x [B, K, 3], weights [B, K] that sum to one. The normal is differentiable with respect to the
/// weights, to first order:
///   dn = sum_j v_j (v_j^T dC n) / (l_0 - l_j),  dC = sum_i dw_i ((x_i - m)(x_i - m)^T - C).
/// Gaps below a thousandth of the largest eigenvalue are taken as that, so that a patch without a
/// plane pulls, but not beyond all measure. Computed in float64.
PlaneFit fit_plane(const Tensor& x, const Tensor& weights);

}  // namespace equiframe::inline normals
