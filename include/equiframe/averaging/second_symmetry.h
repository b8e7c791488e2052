#pragma once

#include <ATen/ATen.h>

#include "equiframe/frames/frame.h"

/// Theorem 2: averaging over G keeps a symmetry H of the backbone if the actions commute and the
/// frame is H-invariant. Both conditions as numbers.
namespace equiframe::inline averaging {

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

}  // namespace equiframe::inline averaging
