// kernels/patch_network.h compiled for each instruction set.
#pragma once

#include "normals/kernels/patch_network.h"

namespace equiframe::kernels::inline normals {

template <class T>
struct PatchFunctions {
  void (*normals)(const PatchNetwork<T>&, std::int64_t, std::int64_t, const double*, const T*,
                  PatchNormal*);
  void (*forward)(const PatchNetwork<T>&, const PatchSample<T>&, T*);
  void (*backward)(const PatchNetwork<T>&, const PatchSample<T>&, const T*,
                   const PatchGradients<T>&);
};

struct PatchNetworkKernels {
  PatchFunctions<float> single;
  PatchFunctions<double> twice;
};

const PatchNetworkKernels& patch_network_baseline();
const PatchNetworkKernels& patch_network_avx2();
const PatchNetworkKernels& patch_network_avx512();

}  // namespace equiframe::kernels::inline normals
