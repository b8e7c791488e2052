#include "datasets/nbody/kernels/nbody_impl.h"

namespace equiframe::kernels::inline datasets {

const NBodyKernels kNBodyBaseline = kNBodyCompiledHere;

}  // namespace equiframe::kernels::inline datasets
