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

template <class T>
const PatchFunctions<T>& functions() {
  if constexpr (sizeof(T) == sizeof(float))
    return chosen().single;
  else
    return chosen().twice;
}

}  // namespace

template <class T>
void patch_normals(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, PatchNormal* normals) {
  functions<T>().normals(network, patches, count, offsets, normals);
}

template <class T>
void patch_forward(const PatchNetwork<T>& network, const PatchSample<T>& sample, T* normals) {
  functions<T>().forward(network, sample, normals);
}

template <class T>
void patch_backward(const PatchNetwork<T>& network, const PatchSample<T>& sample,
                    const T* d_normals, const PatchGradients<T>& gradients) {
  functions<T>().backward(network, sample, d_normals, gradients);
}

template void patch_normals(const PatchNetwork<float>&, std::int64_t, std::int64_t, const double*,
                            PatchNormal*);
template void patch_forward(const PatchNetwork<float>&, const PatchSample<float>&, float*);
template void patch_backward(const PatchNetwork<float>&, const PatchSample<float>&, const float*,
                             const PatchGradients<float>&);
template void patch_normals(const PatchNetwork<double>&, std::int64_t, std::int64_t, const double*,
                            PatchNormal*);
template void patch_forward(const PatchNetwork<double>&, const PatchSample<double>&, double*);
template void patch_backward(const PatchNetwork<double>&, const PatchSample<double>&, const double*,
                             const PatchGradients<double>&);

}  // namespace equiframe::kernels
