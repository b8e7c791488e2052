// The steerable kernels as compiled for the instruction set of the including source.
#pragma once

#include "nn/kernels/steerable/radial_trunk_impl.h"
#include "nn/kernels/steerable/steerable_backward.h"
#include "nn/kernels/steerable/steerable_dispatch.h"
#include "nn/kernels/steerable/steerable_forward.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
constexpr SteerableKernels<T> kSteerableCompiledHere{
    [](const SteerableShape& shape, std::span<const SteerableTerm> terms,
       const SteerableInput<T>& input, PairRange range,
       T* messages) { SteerableForward<T>(shape, terms, input, range).run(messages); },
    [](const SteerableShape& shape, std::span<const SteerableTerm> terms,
       const SteerableInput<T>& input, PairRange range, const SteerableGradients<T>& gradients) {
      SteerableBackward<T>(shape, terms, input, range, gradients).run();
    },
    [](const TrunkShape& shape, const T* parameters, const T* r, T* z) {
      RadialTrunk<T>(shape, parameters, r).forward(z);
    },
    [](const TrunkShape& shape, const T* parameters, const T* r,
       const TrunkGradients<T>& gradients) {
      RadialTrunk<T>(shape, parameters, r).backward(gradients);
    }};

}  // namespace
}  // namespace equiframe::kernels::inline nn
