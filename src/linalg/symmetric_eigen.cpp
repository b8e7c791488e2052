#include "linalg/symmetric_eigen.h"

#include "linalg/dispatch.h"

namespace equiframe::kernels::inline linalg {

void eigh2(std::int64_t count, const float* matrices, float* values, float* vectors) {
  kernels<float>().eigh2(count, matrices, values, vectors);
}

void eigh2(std::int64_t count, const double* matrices, double* values, double* vectors) {
  kernels<double>().eigh2(count, matrices, values, vectors);
}

void eigh3(std::int64_t count, const float* matrices, float* values, float* vectors) {
  kernels<float>().eigh3(count, matrices, values, vectors);
}

void eigh3(std::int64_t count, const double* matrices, double* values, double* vectors) {
  kernels<double>().eigh3(count, matrices, values, vectors);
}

}  // namespace equiframe::kernels::inline linalg
