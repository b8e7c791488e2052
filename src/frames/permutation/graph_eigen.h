#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "equiframe/core/tensor.h"

namespace equiframe::inline frames {

/// Eigenvalues in ascending order and, in row k of `vectors` [n, n], the unit eigenvector of
/// values[k].
struct Eigen {
  std::vector<double> values;
  std::vector<double> vectors;
};

/// The eigen-decomposition of a symmetric `matrix` [n, n] of moderate scale (its largest entry of
/// order one). A function of the matrix alone, bit for bit: small ones never reach a BLAS, whose
/// threads cost more than the work and whose choice of kernel is not ours.
Eigen symmetric_eigen(int64_t n, const std::vector<double>& matrix);

/// The same for each of the symmetric `matrices` [*batch, n, n] of any scale, of which the lower
/// triangles are read: values [*batch, n] ascending and vectors [*batch, n, n], whose column j
/// belongs to values[j], both float64. A matrix with a NaN or an infinity gives NaN. No gradients.
std::pair<Tensor, Tensor> symmetric_eigen(const Tensor& matrices);

}  // namespace equiframe::inline frames
