#include "nearest_impl.h"

namespace equiframe::kernels {

const NearestKernels kNearestBaseline = kNearestCompiledHere;

}  // namespace equiframe::kernels
