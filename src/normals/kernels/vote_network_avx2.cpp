#include "normals/kernels/vote_network_dispatch.h"
#include "normals/kernels/vote_network_impl.h"

namespace equiframe::kernels::inline normals {

const VoteNetworkKernels& vote_network_avx2() {
  static constexpr VoteNetworkKernels kHere{&vote_normals_here<float>, &vote_normals_here<double>};
  return kHere;
}

}  // namespace equiframe::kernels::inline normals
