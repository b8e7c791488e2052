#include "steerable_impl.h"

namespace equiframe::kernels {

const SteerableKernels<float> kSteerableBaselineFloat = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableBaselineDouble = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels
