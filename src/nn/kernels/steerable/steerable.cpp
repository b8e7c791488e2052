#include "nn/kernels/steerable/steerable.h"

#include "nn/kernels/steerable/steerable_dispatch.h"

namespace equiframe::kernels::inline nn {

#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)

template <>
const SteerableKernels<float>& steerable_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return kSteerableAvx512Float;
  return level == SimdLevel::kAvx2 ? kSteerableAvx2Float : kSteerableBaselineFloat;
}

template <>
const SteerableKernels<double>& steerable_kernels_of(SimdLevel level) {
  if (level == SimdLevel::kAvx512) return kSteerableAvx512Double;
  return level == SimdLevel::kAvx2 ? kSteerableAvx2Double : kSteerableBaselineDouble;
}

#else

template <>
const SteerableKernels<float>& steerable_kernels_of(SimdLevel) {
  return kSteerableBaselineFloat;
}

template <>
const SteerableKernels<double>& steerable_kernels_of(SimdLevel) {
  return kSteerableBaselineDouble;
}

#endif

template <class T>
void steerable_forward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                       const SteerableInput<T>& input, PairRange range, T* messages) {
  steerable_kernels_of<T>(simd_level()).forward(shape, terms, input, range, messages);
}

template <class T>
void steerable_backward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                        const SteerableInput<T>& input, PairRange range,
                        const SteerableGradients<T>& gradients) {
  steerable_kernels_of<T>(simd_level()).backward(shape, terms, input, range, gradients);
}

template <class T>
void radial_trunk_forward(const TrunkShape& shape, const T* parameters, const T* r, T* z) {
  steerable_kernels_of<T>(simd_level()).trunk_forward(shape, parameters, r, z);
}

template <class T>
void radial_trunk_backward(const TrunkShape& shape, const T* parameters, const T* r,
                           const TrunkGradients<T>& gradients) {
  steerable_kernels_of<T>(simd_level()).trunk_backward(shape, parameters, r, gradients);
}

template void steerable_forward(const SteerableShape&, std::span<const SteerableTerm>,
                                const SteerableInput<float>&, PairRange, float*);
template void steerable_backward(const SteerableShape&, std::span<const SteerableTerm>,
                                 const SteerableInput<float>&, PairRange,
                                 const SteerableGradients<float>&);
template void radial_trunk_forward(const TrunkShape&, const float*, const float*, float*);
template void radial_trunk_backward(const TrunkShape&, const float*, const float*,
                                    const TrunkGradients<float>&);

template void steerable_forward(const SteerableShape&, std::span<const SteerableTerm>,
                                const SteerableInput<double>&, PairRange, double*);
template void steerable_backward(const SteerableShape&, std::span<const SteerableTerm>,
                                 const SteerableInput<double>&, PairRange,
                                 const SteerableGradients<double>&);
template void radial_trunk_forward(const TrunkShape&, const double*, const double*, double*);
template void radial_trunk_backward(const TrunkShape&, const double*, const double*,
                                    const TrunkGradients<double>&);

}  // namespace equiframe::kernels::inline nn
