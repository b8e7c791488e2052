#include "linalg/dispatch.h"

namespace equiframe::kernels::inline linalg {

#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)

template <>
const Kernels<float>& kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return kAvx512Float;
  return level == SimdLevel::kAvx2 ? kAvx2Float : kBaselineFloat;
}

template <>
const Kernels<double>& kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return kAvx512Double;
  return level == SimdLevel::kAvx2 ? kAvx2Double : kBaselineDouble;
}

#else

template <>
const Kernels<float>& kernels_of(SimdLevel) {
  return kBaselineFloat;
}

template <>
const Kernels<double>& kernels_of(SimdLevel) {
  return kBaselineDouble;
}

#endif

}  // namespace equiframe::kernels::inline linalg
