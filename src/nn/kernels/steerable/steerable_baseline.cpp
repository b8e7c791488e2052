#include "nn/kernels/steerable/steerable_impl.h"

namespace equiframe::kernels::inline nn {

const SteerableKernels<float> kSteerableBaselineFloat = kSteerableCompiledHere<float>;
const SteerableKernels<double> kSteerableBaselineDouble = kSteerableCompiledHere<double>;

}  // namespace equiframe::kernels::inline nn
