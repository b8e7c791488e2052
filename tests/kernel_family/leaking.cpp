// What a family must not do, for tools/check_kernel_symbols.py to find: a function that belongs to
// the whole program, and a number that is made before anybody asks what the processor has.
#include <cstdlib>

#include "tests/kernel_family/scaled.h"

namespace equiframe::kernels {

[[gnu::noinline]] inline float product(float a, float x) {
  return a * x;
}

namespace {

const float kFactor = std::strtof("3", nullptr);

int scaled(std::int64_t count, float a, const float* x, float* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = product(kFactor * a, x[i]);
  return 1;
}

}  // namespace
}  // namespace equiframe::kernels

EQUIFRAME_KERNELS(ScaledKernels, {&scaled});
