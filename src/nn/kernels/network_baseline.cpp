#include "nn/kernels/network_impl.h"

namespace equiframe::kernels::inline nn {

const NetworkKernels<float>& network_baseline_float() {
  return kNetworkCompiledHere<float>;
}
const NetworkKernels<double>& network_baseline_double() {
  return kNetworkCompiledHere<double>;
}

}  // namespace equiframe::kernels::inline nn
