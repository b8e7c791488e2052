#include "vote_network_dispatch.h"
#include "vote_network_impl.h"

namespace equiframe::kernels {

const VoteNetworkKernels& vote_network_avx512() {
  static constexpr VoteNetworkKernels kHere{&vote_normals_here<float>, &vote_normals_here<double>};
  return kHere;
}

}  // namespace equiframe::kernels
