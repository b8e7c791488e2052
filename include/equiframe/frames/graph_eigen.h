#pragma once

#include <cstdint>
#include <vector>

namespace equiframe {

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

}  // namespace equiframe
