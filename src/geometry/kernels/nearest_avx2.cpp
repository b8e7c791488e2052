#include "geometry/kernels/nearest_impl.h"

namespace equiframe::kernels::inline geometry {

const NearestKernels kNearestAvx2 = kNearestCompiledHere;

}  // namespace equiframe::kernels::inline geometry
