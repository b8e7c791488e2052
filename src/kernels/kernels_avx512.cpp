#include "kernels_impl.h"

namespace equiframe::kernels {

const Kernels<float> kAvx512Float = kCompiledHere<float>;
const Kernels<double> kAvx512Double = kCompiledHere<double>;

}  // namespace equiframe::kernels
