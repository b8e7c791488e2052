#include "nn/kernels/steerable/steerable_impl.h"

namespace equiframe::kernels::inline nn {

const SteerableKernels<float> kSteerableAvx512Float = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableAvx512Double = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels::inline nn
