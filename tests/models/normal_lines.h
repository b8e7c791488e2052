// Normals as lines, which have no sign.
#pragma once

#include <torch/types.h>

namespace equiframe::clouds {

/// n n^T of rows n: [rows, 3] to [rows, 3, 3], float64.
inline torch::Tensor lines(const torch::Tensor& n) {
  const torch::Tensor x = n.to(torch::kFloat64);
  return x.unsqueeze(2) * x.unsqueeze(1);
}

/// The largest entry by which the lines of two sets of normals differ.
inline double apart(const torch::Tensor& a, const torch::Tensor& b) {
  return (lines(a) - lines(b)).abs().max().item<double>();
}

}  // namespace equiframe::clouds
