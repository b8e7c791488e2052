#pragma once

#include <ATen/core/Tensor.h>

namespace equiframe::inline core {

using Tensor = at::Tensor;

/// What a network computes in.
enum class Precision { kFloat32, kFloat64 };

constexpr c10::ScalarType scalar_type(Precision precision) {
  return precision == Precision::kFloat64 ? c10::ScalarType::Double : c10::ScalarType::Float;
}

}  // namespace equiframe::inline core
