#include "linalg/kernels_impl.h"

namespace equiframe::kernels::inline linalg {

const Kernels<float> kAvx2Float = kCompiledHere<float>;
const Kernels<double> kAvx2Double = kCompiledHere<double>;

}  // namespace equiframe::kernels::inline linalg
