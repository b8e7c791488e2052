#pragma once

#include <filesystem>
#include <string>

#include "equiframe/core/tensor.h"

namespace equiframe::inline io {

/// Throws UserError if the array that was read from `file` does not have the shape that agrees with
/// `reference`, another part of the same set.
void require_shape(const Tensor& values, at::IntArrayRef expected,
                   const std::filesystem::path& file, const std::string& reference);

}  // namespace equiframe::inline io
