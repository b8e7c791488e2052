#include "nearest_impl.h"

namespace equiframe::kernels {

const NearestKernels kNearestAvx2 = kNearestCompiledHere;

}  // namespace equiframe::kernels
