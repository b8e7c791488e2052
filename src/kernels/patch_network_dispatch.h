// kernels/patch_network.h compiled for each instruction set.
#pragma once

#include "equiframe/kernels/patch_network.h"

namespace equiframe::kernels {

template <class T>
using PatchNormalsFunction = void (*)(const PatchNetwork<T>&, std::int64_t, std::int64_t,
                                      const double*, PatchNormal*);

struct PatchNetworkKernels {
  PatchNormalsFunction<float> single;
  PatchNormalsFunction<double> twice;
};

const PatchNetworkKernels& patch_network_baseline();
const PatchNetworkKernels& patch_network_avx2();
const PatchNetworkKernels& patch_network_avx512();

}  // namespace equiframe::kernels
