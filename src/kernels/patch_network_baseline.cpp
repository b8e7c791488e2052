#include "patch_network_dispatch.h"
#include "patch_network_impl.h"

namespace equiframe::kernels {

const PatchNetworkKernels& patch_network_baseline() {
  static constexpr PatchNetworkKernels kHere{&patch_normals_here<float>,
                                             &patch_normals_here<double>};
  return kHere;
}

}  // namespace equiframe::kernels
