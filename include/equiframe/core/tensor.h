#pragma once

#include <ATen/core/Tensor.h>

namespace equiframe::inline core {

using Tensor = at::Tensor;

}  // namespace equiframe::inline core
