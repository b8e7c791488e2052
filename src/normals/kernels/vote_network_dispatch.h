// kernels/vote_network.h compiled for each instruction set.
#pragma once

#include "normals/kernels/vote_network.h"

namespace equiframe::kernels::inline normals {

struct VoteNetworkKernels {
  void (*single)(const VoteNetwork<float>&, const VotePatches<float>&, float*);
  void (*twice)(const VoteNetwork<double>&, const VotePatches<double>&, double*);
};

const VoteNetworkKernels& vote_network_baseline();
const VoteNetworkKernels& vote_network_avx2();
const VoteNetworkKernels& vote_network_avx512();

}  // namespace equiframe::kernels::inline normals
