#include "normals/kernels/patch_network.h"

#include <cmath>

#include "normals/kernels/patch_features.h"
#include "normals/kernels/patch_network_dispatch.h"
#include "simd/cpu.h"

namespace equiframe::kernels::inline normals {
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
                   const double* offsets, const T* cloud, PatchNormal* normals) {
  functions<T>().normals(network, patches, count, offsets, cloud, normals);
}

template <class T>
void patch_numbers(std::int64_t patches, std::int64_t count, const double* offsets, T* numbers) {
  std::vector<T> x(static_cast<std::size_t>(3 * count));
  std::vector<T> points(static_cast<std::size_t>(kPointFeatures * count));
  std::vector<T> windows(static_cast<std::size_t>(kScales * count));
  for (std::int64_t p = 0; p < patches; ++p, offsets += 3 * count, numbers += kPatchFeatures) {
    const double* const last = offsets + 3 * (count - 1);
    const double radius = std::sqrt(last[0] * last[0] + last[1] * last[1] + last[2] * last[2]);
    const double scale = radius > 0 ? 1 / radius : 0;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = T(offsets[k] * scale);
    patch_features<T>(count, x.data(), {points.data(), count, 1, numbers, windows.data(), count});
  }
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
                            const float*, PatchNormal*);
template void patch_numbers(std::int64_t, std::int64_t, const double*, float*);
template void patch_numbers(std::int64_t, std::int64_t, const double*, double*);
template void patch_forward(const PatchNetwork<float>&, const PatchSample<float>&, float*);
template void patch_backward(const PatchNetwork<float>&, const PatchSample<float>&, const float*,
                             const PatchGradients<float>&);
template void patch_normals(const PatchNetwork<double>&, std::int64_t, std::int64_t, const double*,
                            const double*, PatchNormal*);
template void patch_forward(const PatchNetwork<double>&, const PatchSample<double>&, double*);
template void patch_backward(const PatchNetwork<double>&, const PatchSample<double>&, const double*,
                             const PatchGradients<double>&);

}  // namespace equiframe::kernels::inline normals
