#include "nbody_impl.h"

namespace equiframe::kernels {

const NBodyKernels kNBodyBaseline = kNBodyCompiledHere;

}  // namespace equiframe::kernels
