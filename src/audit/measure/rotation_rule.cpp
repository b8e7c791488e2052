#include <cmath>

#include <torch/types.h>

#include "audit/measure/angular_power.h"
#include "frames/permutation/graph_eigen.h"

namespace equiframe::audit {
namespace {

Tensor turn(const Tensor& angle, int64_t first, int64_t second) {  // [M] -> [M, 3, 3]
  Tensor result = torch::eye(3, torch::kFloat64).repeat({angle.size(0), 1, 1});
  const auto entry = [&](int64_t i, int64_t j) { return result.select(2, j).select(1, i); };
  entry(first, first).copy_(angle.cos());
  entry(second, second).copy_(angle.cos());
  entry(first, second).copy_(-angle.sin());
  entry(second, first).copy_(angle.sin());
  return result;
}

/// Nodes and weights on -1 .. 1 by the eigenvalues of the Jacobi matrix (Golub and Welsch).
std::pair<Tensor, Tensor> gauss_legendre(int64_t count) {
  const Tensor k = torch::arange(1, count, torch::kFloat64);
  const Tensor side = k / (4 * k * k - 1).sqrt();
  const Tensor jacobi = torch::diag(side, 1) + torch::diag(side, -1);
  const auto [nodes, vectors] =
      symmetric_eigen(count > 1 ? jacobi : torch::zeros({1, 1}, torch::kFloat64));
  return {nodes, vectors.select(0, 0).square()};  // weights of a mean, sum one
}

Tensor even_angles(int64_t count) {
  return torch::arange(count, torch::kFloat64) * (2 * M_PI / static_cast<double>(count));
}

}  // namespace

RotationRule rotation_rule(int64_t order) {
  TORCH_CHECK(order >= 0, "rotation_rule: order ", order);
  const int64_t steps = 2 * order + 1;
  const auto [cosines, weights] = gauss_legendre(order + 1);
  const Tensor about_z = turn(even_angles(steps), 0, 1);  // [S, 3, 3]
  const Tensor about_y = turn(cosines.acos(), 2, 0);      // [L + 1, 3, 3]
  const Tensor left = about_z.unsqueeze(1).matmul(about_y.unsqueeze(0)).view({-1, 3, 3});
  const Tensor all = left.unsqueeze(1).matmul(about_z.unsqueeze(0)).reshape({-1, 3, 3});
  const Tensor each = weights.view({1, -1, 1}).expand({steps, -1, steps}).reshape({-1});
  return {all, each / each.sum()};
}

RotationRule planar_rotation_rule(int64_t order) {
  const int64_t steps = 2 * order + 1;
  const Tensor turns = turn(even_angles(steps), 0, 1).narrow(1, 0, 2).narrow(2, 0, 2).contiguous();
  return {turns, torch::full({steps}, 1.0 / static_cast<double>(steps), torch::kFloat64)};
}

}  // namespace equiframe::audit
