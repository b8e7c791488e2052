#include "core/default_generator.h"

#include <string_view>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "equiframe/core/error.h"

namespace equiframe::inline core {

at::Generator default_generator() {
  try {
    return at::detail::getDefaultCPUGenerator();
  } catch (const c10::Error& error) {
    if (std::string_view(error.what()).find("/dev/urandom") == std::string_view::npos) throw;
    throw UserError(
        "LibTorch needs /dev/urandom to begin its random numbers and cannot read it; make it "
        "available, in a container by mounting /dev");
  }
}

void seed_default_generator(uint64_t seed) {
  default_generator();
  at::manual_seed(seed);
}

}  // namespace equiframe::inline core
