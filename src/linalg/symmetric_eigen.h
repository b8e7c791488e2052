#pragma once

#include <cstdint>

#include "simd/table.h"

/// Batched eigen-decomposition of small symmetric matrices, A = V diag(values) V^T.
///
/// Matrices are row-major [count, d, d]; only the lower triangle is read. Values [count, d] ascend;
/// vectors [count, d, d] are orthonormal and column j belongs to values[j]. Outputs must not
/// overlap the input.
///
/// Guaranteed, relative to the largest entry of each matrix: reconstruction, orthogonality and
/// values within a few units of rounding, at every scale, ties and rank deficiency included. A
/// diagonal matrix gives its diagonal and unit vectors exactly, the zero matrix the identity. A
/// matrix with a NaN or an infinity gives NaN everywhere. The result for a matrix does not depend
/// on its place in the batch, nor, at one SIMD level, on the processor: only operations whose
/// rounding IEEE 754 prescribes are used. Signs of the vectors are unspecified.
namespace equiframe::kernels::inline linalg {

void eigh2(std::int64_t count, const float* matrices, float* values, float* vectors);
void eigh2(std::int64_t count, const double* matrices, double* values, double* vectors);

void eigh3(std::int64_t count, const float* matrices, float* values, float* vectors);
void eigh3(std::int64_t count, const double* matrices, double* values, double* vectors);

template <class T>
struct EigenFunctions {
  using Eigh = void(std::int64_t count, const T* matrices, T* values, T* vectors);
  Eigh* eigh2;
  Eigh* eigh3;
};
using EigenKernels = BothPrecisions<EigenFunctions>;

}  // namespace equiframe::kernels::inline linalg
