#include "nbody_impl.h"

namespace equiframe::kernels {

const NBodyKernels kNBodyAvx2 = kNBodyCompiledHere;

}  // namespace equiframe::kernels
