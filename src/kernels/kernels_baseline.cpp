#include "kernels_impl.h"

namespace equiframe::kernels {

const Kernels<float> kBaselineFloat = kCompiledHere<float>;
const Kernels<double> kBaselineDouble = kCompiledHere<double>;

}  // namespace equiframe::kernels
