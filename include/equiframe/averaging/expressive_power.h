#pragma once

#include <ATen/ATen.h>

#include "equiframe/averaging/average.h"

namespace equiframe::inline averaging {

/// max over the frame's elements of the operator norm of the linear part of rho_out(g) on tensors
/// shaped like `y` [B, ...]: the constant c of Definition 1.2 (1 for orthogonal actions). Affine
/// actions count by their linear part, which is what moves differences.
template <Group G>
double frame_bound(const Symmetry<G>& symmetry, const FrameSet<G>& frame, const Tensor& y) {
  const FrameRows<G> rows(frame);
  const auto shape = y.sizes().slice(1).vec();
  const int64_t size = y[0].numel();
  auto basis_shape = shape;
  basis_shape.insert(basis_shape.begin(), {rows.size(), size});
  const Tensor basis = at::eye(size, at::kDouble).unsqueeze(0).expand({rows.size(), size, size});
  const auto repeated = map_parts(rows.elements, [&](const Tensor& part) {
    auto wide = part.sizes().vec();
    wide.insert(wide.begin() + 1, size);
    return part.unsqueeze(1).expand(wide);
  });
  const auto moved = [&](const Tensor& points) {
    return symmetry.group.act(symmetry.out, repeated, points.reshape(basis_shape)).flatten(2);
  };
  const Tensor matrices = moved(basis) - moved(at::zeros_like(basis));  // [M, size, size]
  return at::linalg_matrix_norm(matrices, 2).max().template item<double>();
}

/// Both sides of Theorem 4 for one backbone Phi and one equivariant target Psi:
/// sup_K |Psi - <Phi>| <= c sup_{K_F} |Psi - Phi|.
struct ExpressivePower {
  double averaged_error = 0;  // sup over K of |Psi(X) - <Phi>(X)|
  double backbone_error = 0;  // sup over K_F = {g^-1 X} of |Psi - Phi|
  double constant = 1;        // c
  bool holds() const { return averaged_error <= constant * backbone_error * (1 + 1e-9); }
};

template <Group G, Evaluable Phi, Evaluable Psi>
ExpressivePower expressive_power(const Symmetry<G>& symmetry, const FrameSet<G>& frame, Phi&& phi,
                                 Psi&& psi, const Batch& domain) {
  const auto sup = [](const Tensor& difference) {
    return difference.flatten(1).norm(2, 1).max().template item<double>();
  };
  const auto at_items = [&](auto& f) {
    if constexpr (std::invocable<decltype(f), const Batch&>)
      return f(domain);
    else
      return f(domain.x);
  };
  const FrameRows<G> rows(frame);
  const Tensor target = at_items(psi);
  ExpressivePower result;
  result.averaged_error = sup(target - equivariant_average(symmetry, frame, phi, domain));
  result.backbone_error =
      sup(evaluate_rows(symmetry, rows, psi, domain) - evaluate_rows(symmetry, rows, phi, domain));
  result.constant = frame_bound(symmetry, frame, target);
  return result;
}

}  // namespace equiframe::inline averaging
