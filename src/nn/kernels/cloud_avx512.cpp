#include "nn/kernels/cloud_impl.h"

namespace equiframe::kernels::inline nn {

const CloudKernels<float>& cloud_avx512_float() {
  return kCloudCompiledHere<float>;
}
const CloudKernels<double>& cloud_avx512_double() {
  return kCloudCompiledHere<double>;
}

}  // namespace equiframe::kernels::inline nn
