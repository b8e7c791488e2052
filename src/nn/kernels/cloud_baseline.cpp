#include "nn/kernels/cloud_impl.h"

namespace equiframe::kernels::inline nn {

const CloudKernels<float>& cloud_baseline_float() {
  return kCloudCompiledHere<float>;
}
const CloudKernels<double>& cloud_baseline_double() {
  return kCloudCompiledHere<double>;
}

}  // namespace equiframe::kernels::inline nn
