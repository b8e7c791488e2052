#pragma once

#include <cstdint>

#include "simd/table.h"

/// The hidden layers of a network of one variable, fused:
///
///   y = ReLU(norm(r w + b) s + t),   z = ReLU(norm(y W + b') s' + t')
///
/// with norm(x) = (x - mean x) / sqrt(var x + 1e-5). Plain C++20, no LibTorch.
namespace equiframe::kernels::inline nn {

struct TrunkShape {
  std::int64_t inputs = 0;  ///< values of r
  std::int64_t width = 0;   ///< a multiple of 16
};

/// Parameters of a network are rows of `width` numbers: w, b, s, t, b', s', t', then the rows of W
/// [in, out].
inline constexpr std::int64_t kTrunkVectors = 7;

/// z [inputs, width] at r [inputs]
template <class T>
void radial_trunk_forward(const TrunkShape& shape, const T* parameters, const T* r, T* z);

template <class T>
struct TrunkGradients {
  const T* z;               ///< [inputs, width]
  T* parameters = nullptr;  ///< is added to
  T* r = nullptr;           ///< [inputs], is set; null if nobody wants it
};
template <class T>
void radial_trunk_backward(const TrunkShape& shape, const T* parameters, const T* r,
                           const TrunkGradients<T>& gradients);

template <class T>
struct TrunkFunctions {
  decltype(&radial_trunk_forward<T>) forward;
  decltype(&radial_trunk_backward<T>) backward;
};
using TrunkKernels = BothPrecisions<TrunkFunctions>;

}  // namespace equiframe::kernels::inline nn
