#include "nn/kernels/steerable/steerable_impl.h"

namespace equiframe::kernels::inline nn {

const SteerableKernels<float> kSteerableAvx2Float = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableAvx2Double = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels::inline nn
