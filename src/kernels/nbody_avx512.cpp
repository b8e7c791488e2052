#include "nbody_impl.h"

namespace equiframe::kernels {

const NBodyKernels kNBodyAvx512 = kNBodyCompiledHere;

}  // namespace equiframe::kernels
