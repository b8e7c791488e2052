#include "cloud_impl.h"

namespace equiframe::kernels {

const CloudKernels<float>& cloud_baseline_float() {
  return kCloudCompiledHere<float>;
}
const CloudKernels<double>& cloud_baseline_double() {
  return kCloudCompiledHere<double>;
}

}  // namespace equiframe::kernels
