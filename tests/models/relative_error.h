#pragma once

#include <torch/types.h>

namespace equiframe::test_support {

/// |a - b| / |b|, in float64.
inline double relative(const torch::Tensor& a, const torch::Tensor& b) {
  const torch::Tensor wide = b.to(torch::kFloat64);
  return ((a.to(torch::kFloat64) - wide).norm() / wide.norm().clamp_min(1e-30)).item<double>();
}

}  // namespace equiframe::test_support
