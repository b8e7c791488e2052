#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "equiframe/averaging/average.h"

namespace equiframe::inline averaging {

/// Classes of F(X) under g ~ h iff h g^-1 in G_X, that is [g] = G_X g (Theorem 3), for one item.
/// `elements` has batch shape [K], `stabilizer` [S]; the result [K] int64 names the first member of
/// each element's class.
template <Group G>
Tensor stabilizer_classes(const G& group, const typename G::Element& elements,
                          const typename G::Element& stabilizer, double tolerance) {
  const auto listed = map_parts(elements, [](const Tensor& part) { return part.unsqueeze(0); });
  const int64_t count = group.distance(elements, elements).size(0);
  Tensor class_of = at::full({count}, -1, at::kLong);
  for (int64_t k = 0; k < count; ++k) {
    if (class_of[k].template item<int64_t>() >= 0) continue;
    const auto g = map_parts(elements, [&](const Tensor& part) { return part.narrow(0, k, 1); });
    const auto orbit = map_parts(group.compose(stabilizer, g),
                                 [](const Tensor& part) { return part.unsqueeze(1); });
    const Tensor nearest = std::get<0>(group.distance(orbit, listed).min(0));  // [K]
    class_of =
        at::where((nearest <= tolerance) & (class_of < 0), at::full_like(class_of, k), class_of);
  }
  return class_of;
}

/// F(X) and which of its elements need an evaluation of their own.
template <Group G>
struct QuotientSet {
  FrameSet<G> frame;
  Tensor class_of;  // [B, K] int64: position of the class' representative

  /// m_F = |F(X)| / |G_X| of each item, [B].
  Tensor class_count() const {
    const Tensor positions = at::arange(frame.size(), at::kLong);
    return ((class_of == positions) & (frame.weights > 0)).sum(1);
  }
};

/// `stabilizers[b]`: the elements of G_X of item b, batch shape [S_b].
template <Group G>
QuotientSet<G> quotient(const G& group, const FrameSet<G>& frame,
                        const std::vector<typename G::Element>& stabilizers, double tolerance) {
  std::vector<Tensor> classes;
  for (int64_t b = 0; b < frame.batch(); ++b) {
    const auto elements =
        map_parts(frame.elements, [&](const Tensor& part) { return part.select(0, b); });
    classes.push_back(
        stabilizer_classes(group, elements, stabilizers[static_cast<size_t>(b)], tolerance));
  }
  return {frame, at::stack(classes)};
}

/// Eq. 6, and its equivariant form: Phi is evaluated once per class; every element still moves its
/// class' value, so the result equals `equivariant_average`.
template <Group G, Evaluable Phi>
Tensor quotient_average(const Symmetry<G>& symmetry, const QuotientSet<G>& quotient, Phi&& phi,
                        const Batch& x) {
  const FrameRows<G> all(quotient.frame);
  const int64_t k = quotient.frame.size();
  const Tensor starts = at::arange(quotient.frame.batch(), at::kLong).unsqueeze(1) * k;
  const Tensor representative = (quotient.class_of + starts).flatten();  // [B*K] row of each row
  const Tensor present = (quotient.frame.weights.flatten() > 0).nonzero().squeeze(1);
  const auto [unique, inverse, counts] =
      at::unique_dim(representative.index_select(0, present), 0, /*sorted=*/true,
                     /*return_inverse=*/true);
  FrameSet<G> listed = quotient.frame;
  listed.weights = at::ones_like(quotient.frame.weights);  // rows in [B*K] order, none dropped
  const FrameRows<G> needed = FrameRows<G>(listed).select(unique);
  const Tensor y = evaluate_rows(symmetry, needed, phi, x);
  return all.combine(symmetry, y.index_select(0, inverse), FrameSide::kLeft);
}

}  // namespace equiframe::inline averaging
