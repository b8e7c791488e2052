#include "equiframe/kernels/patch_network.h"

#include "equiframe/kernels/cpu.h"
#include "patch_network_dispatch.h"

namespace equiframe::kernels {
namespace {

const PatchNetworkKernels& chosen() {
#if defined(__x86_64__) && !defined(EQUIFRAME_NO_X86_SIMD)
  if (simd_level() == SimdLevel::kAvx512) return patch_network_avx512();
  if (simd_level() == SimdLevel::kAvx2) return patch_network_avx2();
#endif
  return patch_network_baseline();
}

}  // namespace

template <>
void patch_normals(const PatchNetwork<float>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, PatchNormal* normals) {
  chosen().single(network, patches, count, offsets, normals);
}

template <>
void patch_normals(const PatchNetwork<double>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, PatchNormal* normals) {
  chosen().twice(network, patches, count, offsets, normals);
}

}  // namespace equiframe::kernels
