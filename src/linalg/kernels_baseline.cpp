#include "linalg/kernels_impl.h"

namespace equiframe::kernels::inline linalg {

const Kernels<float> kBaselineFloat = kCompiledHere<float>;
const Kernels<double> kBaselineDouble = kCompiledHere<double>;

}  // namespace equiframe::kernels::inline linalg
