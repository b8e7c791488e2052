#include "datasets/nbody/kernels/nbody_impl.h"

namespace equiframe::kernels::inline datasets {

const NBodyKernels kNBodyAvx2 = kNBodyCompiledHere;

}  // namespace equiframe::kernels::inline datasets
