#include "normals/kernels/vote_network.h"

#include "normals/kernels/vote_network_dispatch.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline normals {
namespace {

const VoteNetworkKernels& chosen() {
#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)
  if (simd_level() == SimdLevel::kAvx512) return vote_network_avx512();
  if (simd_level() == SimdLevel::kAvx2) return vote_network_avx2();
#endif
  return vote_network_baseline();
}

}  // namespace

template <>
void vote_normals(const VoteNetwork<float>& network, const VotePatches<float>& patches,
                  float* elected) {
  chosen().single(network, patches, elected);
}

template <>
void vote_normals(const VoteNetwork<double>& network, const VotePatches<double>& patches,
                  double* elected) {
  chosen().twice(network, patches, elected);
}

}  // namespace equiframe::kernels::inline normals
