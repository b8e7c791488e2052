#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/averaging/average.h"
#include "equiframe/export.h"
#include "equiframe/frames/frame.h"

/// Theorems 2, 4 and 5 of the paper, as numbers.
namespace equiframe::inline averaging {

// Theorem 2: averaging over G keeps a symmetry H of the backbone if the actions commute and the
// frame is H-invariant.

/// max |rho(g) tau(h) X - tau(h) rho(g) X| over random (g, h), one pair for each item.
template <Group G, Group H>
double commutation_error(const G& g_group, const typename G::Representation& rho, const H& h_group,
                         const typename H::Representation& tau, const Batch& x,
                         at::Generator& generator) {
  const auto g = g_group.sample(x.size(), generator);
  const auto h = h_group.sample(x.size(), generator);
  const Batch one = g_group.act(rho, g, h_group.act(tau, h, x));
  const Batch other = h_group.act(tau, h, g_group.act(rho, g, x));
  return (one.x - other.x).abs().max().template item<double>();
}

/// The Hausdorff distance of two frame sets of the same items in the group's metric, [B].
template <Group G>
Tensor frame_set_distance(const G& group, const FrameSet<G>& a, const FrameSet<G>& b) {
  const auto rows = map_parts(a.elements, [](const Tensor& part) { return part.unsqueeze(2); });
  const auto columns = map_parts(b.elements, [](const Tensor& part) { return part.unsqueeze(1); });
  const Tensor distance = group.distance(rows, columns);  // [B, Ka, Kb]
  const Tensor in_a = a.weights > 0, in_b = b.weights > 0;
  const auto worst = [](const Tensor& d, const Tensor& from, const Tensor& to, int64_t axis) {
    const Tensor nearest =
        std::get<0>(d.masked_fill(to.logical_not().unsqueeze(3 - axis), INFINITY).min(axis));
    return std::get<0>(nearest.masked_fill(from.logical_not(), 0.0).max(1));
  };
  return at::maximum(worst(distance, in_a, in_b, 2), worst(distance, in_b, in_a, 1));
}

/// max over items of the distance between F(tau(h) X) and F(X), h random.
template <Group G, Group H>
double frame_invariance_error(const G& group, const Frame<G>& frame, const H& h_group,
                              const typename H::Representation& tau, const Batch& x,
                              at::Generator& generator) {
  const auto h = h_group.sample(x.size(), generator);
  return frame_set_distance(group, frame(h_group.act(tau, h, x)), frame(x))
      .max()
      .template item<double>();
}

// Theorem 4: an average over a bounded frame approximates every equivariant map about as well as
// its backbone approximates it.

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

// Theorem 5: how good is an average over k draws from the m_F classes of F(X) / G_X? `counts[j]` is
// the number of draws that landed in class j.

/// log of the proof's bound (1 + k)^-m exp(-k m eps^2 / 2): every empirical distribution whose
/// sup-error is at most eps has at least this probability.
EQUIFRAME_API double log_sampling_bound(int64_t classes, int64_t draws, double epsilon);

/// log of the bound as the theorem states it, (1 + k)^-m exp(-2 m k eps^2): weaker, implied.
EQUIFRAME_API double log_sampling_bound_as_stated(int64_t classes, int64_t draws, double epsilon);

/// log P(counts) of a uniform multinomial.
EQUIFRAME_API double log_multinomial_probability(const std::vector<int64_t>& counts);

/// sup over |phi| <= 1 of |<phi> - <<phi>>| = sum_j |1/m - counts_j / k| = 2 TV.
EQUIFRAME_API double sampling_sup_error(const std::vector<int64_t>& counts);

/// Half the L1 distance of two distributions.
EQUIFRAME_API double total_variation(const std::vector<double>& p, const std::vector<double>& q);

/// sum_j p_j log(p_j / q_j), with 0 log 0 = 0.
EQUIFRAME_API double kl_divergence(const std::vector<double>& p, const std::vector<double>& q);

/// Pinsker: 2 TV^2 <= KL.
EQUIFRAME_API double pinsker_lower_bound(const std::vector<double>& p,
                                         const std::vector<double>& q);

/// Reverse Pinsker: KL <= (2 / min_j q_j) TV^2.
EQUIFRAME_API double pinsker_upper_bound(const std::vector<double>& p,
                                         const std::vector<double>& q);

}  // namespace equiframe::inline averaging
