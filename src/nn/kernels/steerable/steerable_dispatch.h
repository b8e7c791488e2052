// The steerable kernels compiled for each instruction set.
#pragma once

#include "nn/kernels/steerable/radial_trunk.h"
#include "nn/kernels/steerable/steerable.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline nn {

template <class T>
struct SteerableKernels {
  void (*forward)(const SteerableShape&, std::span<const SteerableTerm>, const SteerableInput<T>&,
                  PairRange, T* messages);
  void (*backward)(const SteerableShape&, std::span<const SteerableTerm>, const SteerableInput<T>&,
                   PairRange, const SteerableGradients<T>&);
  void (*trunk_forward)(const TrunkShape&, const T* parameters, const T* r, T* z);
  void (*trunk_backward)(const TrunkShape&, const T* parameters, const T* r,
                         const TrunkGradients<T>&);
};

extern const SteerableKernels<float> kSteerableBaselineFloat, kSteerableAvx2Float,
    kSteerableAvx512Float;
extern const SteerableKernels<double> kSteerableBaselineDouble, kSteerableAvx2Double,
    kSteerableAvx512Double;

/// The kernels of a level, which must not be above `highest_simd_level()`.
template <class T>
const SteerableKernels<T>& steerable_kernels_of(SimdLevel level);

}  // namespace equiframe::kernels::inline nn
