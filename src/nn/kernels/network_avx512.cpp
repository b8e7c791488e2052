#include "nn/kernels/network_impl.h"

namespace equiframe::kernels::inline nn {

const NetworkKernels<float>& network_avx512_float() {
  return kNetworkCompiledHere<float>;
}
const NetworkKernels<double>& network_avx512_double() {
  return kNetworkCompiledHere<double>;
}

}  // namespace equiframe::kernels::inline nn
