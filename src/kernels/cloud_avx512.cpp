#include "cloud_impl.h"

namespace equiframe::kernels {

const CloudKernels<float>& cloud_avx512_float() {
  return kCloudCompiledHere<float>;
}
const CloudKernels<double>& cloud_avx512_double() {
  return kCloudCompiledHere<double>;
}

}  // namespace equiframe::kernels
