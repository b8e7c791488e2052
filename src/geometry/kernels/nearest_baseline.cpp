#include "geometry/kernels/nearest_impl.h"

namespace equiframe::kernels::inline geometry {

const NearestKernels kNearestBaseline = kNearestCompiledHere;

}  // namespace equiframe::kernels::inline geometry
