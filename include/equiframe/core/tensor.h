#pragma once

#include <ATen/core/Tensor.h>

namespace equiframe {

using Tensor = at::Tensor;

}  // namespace equiframe
