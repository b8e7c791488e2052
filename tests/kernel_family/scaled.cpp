#include "tests/kernel_family/scaled.h"

#include "simd/lanes_math.h"

namespace equiframe::kernels {
namespace {

int scaled(std::int64_t count, float a, const float* x, float* y) {
  std::int64_t i = 0;
  for (; i + kWidth<float> <= count; i += kWidth<float>) store(y + i, a * load(x + i));
  for (; i < count; ++i) y[i] = a * x[i];
  return kWidth<float>;
}

}  // namespace
}  // namespace equiframe::kernels

EQUIFRAME_KERNELS(ScaledKernels, {&scaled});
