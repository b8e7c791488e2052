// The kernels compiled for each instruction set, chosen at run time.
#pragma once

#include <cstdint>

#include "linalg/pca.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline linalg {

/// The kernels of one instruction set; the number in a name is the dimension. See
/// symmetric_eigen.h and pca.h for what they do.
template <class T>
struct Kernels {
  using Eigh = void(std::int64_t count, const T* matrices, T* values, T* vectors);
  using Moments = void(const PointSets<T>& sets, Centre centring, double* centre,
                       double* covariance);
  using Bases = void(std::int64_t count, const double* axes, Handedness handedness, T* bases);

  Eigh* eigh2;
  Eigh* eigh3;
  Moments* moments2;
  Moments* moments3;
  Bases* bases2;
  Bases* bases3;
};

extern const Kernels<float> kBaselineFloat, kAvx2Float, kAvx512Float;
extern const Kernels<double> kBaselineDouble, kAvx2Double, kAvx512Double;

/// The kernels of a level, which must not be above `highest_simd_level()`.
template <class T>
const Kernels<T>& kernels_of(SimdLevel level);

/// The kernels of `simd_level()`.
template <class T>
const Kernels<T>& kernels() {
  return kernels_of<T>(simd_level());
}

}  // namespace equiframe::kernels::inline linalg
