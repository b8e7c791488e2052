#include "steerable_impl.h"

namespace equiframe::kernels {

const SteerableKernels<float> kSteerableAvx2Float = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableAvx2Double = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels
