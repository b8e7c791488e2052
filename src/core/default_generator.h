#pragma once

#include <cstdint>

#include <ATen/core/Generator.h>

namespace equiframe::inline core {

/// LibTorch's default generator, from which new networks draw their weights. Throws UserError where
/// there is none to be had: LibTorch seeds it from /dev/urandom before it can be seeded otherwise.
at::Generator default_generator();

/// Seeds it, as torch::manual_seed does.
void seed_default_generator(uint64_t seed);

}  // namespace equiframe::inline core
