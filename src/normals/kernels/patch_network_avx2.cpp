#include "normals/kernels/patch_network_dispatch.h"
#include "normals/kernels/patch_network_impl.h"
#include "normals/kernels/patch_training_impl.h"

namespace equiframe::kernels::inline normals {
namespace {

template <class T>
constexpr PatchFunctions<T> kPatchCompiledHere{&patch_normals_here<T>, &patch_forward_here<T>,
                                               &patch_backward_here<T>};

}  // namespace

const PatchNetworkKernels& patch_network_avx2() {
  static constexpr PatchNetworkKernels kHere{kPatchCompiledHere<float>, kPatchCompiledHere<double>};
  return kHere;
}

}  // namespace equiframe::kernels::inline normals
