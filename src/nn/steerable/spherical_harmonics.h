#pragma once

#include "equiframe/core/tensor.h"

namespace equiframe::inline nn {

/// Real spherical harmonics Y_lm of degree 0 .. `max_degree` at unit vectors [P, 3], as columns
/// l^2 + l + m of a tensor [P, (max_degree + 1)^2]; differentiable. m < 0 are the sines.
///
/// The polar axis is the second coordinate and azimuth runs from the third to the first, so that
/// Y_1 = sqrt(3 / 4 pi) (x, y, z): features of degree 1 are plain vectors. The Y_lm are homogeneous
/// polynomials of degree l, hence zero at the zero vector for l > 0: equivariant there too.
Tensor spherical_harmonics(const Tensor& directions, int64_t max_degree);

}  // namespace equiframe::inline nn
