#include "linalg/kernels_impl.h"

namespace equiframe::kernels::inline linalg {

const Kernels<float> kAvx512Float = kCompiledHere<float>;
const Kernels<double> kAvx512Double = kCompiledHere<double>;

}  // namespace equiframe::kernels::inline linalg
