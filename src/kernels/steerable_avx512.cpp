#include "steerable_impl.h"

namespace equiframe::kernels {

const SteerableKernels<float> kSteerableAvx512Float = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableAvx512Double = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels
