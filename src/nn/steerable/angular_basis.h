#pragma once

#include <vector>

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// The angular part of every SO(3)-steerable kernel between features of degree < `degrees`:
/// K_J(u) = sum_M Q_J[:, :, M] Y_JM(u), with K_J(R u) = D_out(R) K_J(u) D_in(R)^T.
class AngularBasis {
 public:
  /// K_J from degree `in` to degree `out`. Its K_J(u)^T of E vectors u are the numbers
  /// [E, ., 2 in + 1, 2 out + 1] from E * `start` on, together with those of the other J.
  struct Term {
    int64_t in;
    int64_t out;
    int64_t j;
    int64_t start;
  };

  explicit AngularBasis(int64_t degrees);

  /// Ordered by `in`, then `out`, then `j`.
  const std::vector<Term>& terms() const { return terms_; }

  /// All K_J^T at unit vectors [E, 3] as one row of numbers in the order of kernels/steerable.h:
  /// for each (in, out), [E, J, 2 in + 1, 2 out + 1]. Differentiable. At the zero vector only J = 0
  /// is left.
  Tensor operator()(const Tensor& directions) const;

 private:
  int64_t max_j_;
  std::vector<Term> terms_;
  std::vector<Tensor> couplings_;  // for each (in, out), [(max_j + 1)^2, J x in x out] float64
};

}  // namespace equiframe::inline nn
