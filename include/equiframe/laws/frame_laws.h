#pragma once

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>

#include "equiframe/averaging/average.h"
#include "equiframe/averaging/theorems.h"
#include "equiframe/frames/frame.h"
#include "equiframe/laws/group_laws.h"

/// The laws of frames and of averaged maps, as errors to compare with a tolerance.
namespace equiframe::inline laws {

/// Deviation of the weights from a distribution: negative parts and sums other than one (an empty
/// frame, which Definition 1 forbids, has error one).
template <Group G>
double weight_error(const FrameSet<G>& frame) {
  if (frame.size() == 0) return 1.0;
  const double negative = frame.weights.clamp_max(0).abs().max().template item<double>();
  const double sum = (frame.weights.sum(1) - 1).abs().max().template item<double>();
  return std::max(negative, sum);
}

/// Definition 1.1: the Hausdorff distance of F(gX) and gF(X) in the group, g random.
template <Group G>
double frame_equivariance_error(const G& group, const Frame<G>& frame,
                                const typename G::Representation& in, const Batch& x,
                                at::Generator& generator) {
  const auto g = group.sample(x.size(), generator);
  FrameSet<G> moved = frame(x);
  const auto each = map_parts(g, [](const Tensor& part) { return part.unsqueeze(1); });
  moved.elements = group.compose(each, moved.elements);
  return frame_set_distance(group, frame(group.act(in, g, x)), moved).max().template item<double>();
}

/// The framed inputs {rho(h)^-1 X : h in F(X)}, [M, D] float64 with their items [M].
template <Group G>
std::pair<Tensor, Tensor> framed_inputs(const G& group, const FrameSet<G>& frame,
                                        const typename G::Representation& in, const Batch& x) {
  const FrameRows<G> rows(frame);
  const Batch framed = group.act_inverse(in, rows.elements, rows.copies(x));
  Tensor flat = framed.x.flatten(1);
  if (framed.pair.defined()) flat = at::cat({flat, framed.pair.flatten(1)}, 1);
  return {flat.to(at::kDouble), rows.items};
}

/// The multiset of framed inputs must not change when X becomes gX. Needs no matching of group
/// elements, ignores the stabiliser as it should, and works for any group.
template <Group G>
double framed_set_error(const G& group, const Frame<G>& frame, const typename G::Representation& in,
                        const Batch& x, at::Generator& generator) {
  const auto g = group.sample(x.size(), generator);
  const Batch gx = group.act(in, g, x);
  const auto [here, here_items] = framed_inputs(group, frame(x), in, x);
  const auto [there, there_items] = framed_inputs(group, frame(gx), in, gx);
  double worst = 0;
  for (int64_t b = 0; b < x.size(); ++b) {
    const Tensor a = here.index({here_items == b}), c = there.index({there_items == b});
    const Tensor distance = at::cdist(a, c, INFINITY);  // [Ka, Kc], largest difference of entries
    const double apart = std::max(worst_if_nan(std::get<0>(distance.min(0)).max().item<double>()),
                                  worst_if_nan(std::get<0>(distance.min(1)).max().item<double>()));
    worst = std::max(worst, worst_if_nan(apart / std::max(1.0, a.abs().max().item<double>())));
  }
  return worst;
}

/// Theorem 1: max |f(rho_in(g) x) - rho_out(g) f(x)| over max(1, |f|). The group acts in float64;
/// `f` takes and returns float64 and may compute in any type inside.
template <Group G, Evaluable Map>
double equivariance_error(const Symmetry<G>& symmetry, Map&& f, const Batch& x,
                          at::Generator& generator) {
  const auto evaluate = [&](const Batch& batch) -> Tensor {
    if constexpr (std::invocable<Map&, const Batch&>)
      return f(batch);
    else
      return f(batch.x);
  };
  const auto g = symmetry.group.sample(x.size(), generator);
  const Tensor moved_first = evaluate(symmetry.group.act(symmetry.in, g, x));
  return relative_difference(moved_first, symmetry.group.act(symmetry.out, g, evaluate(x)));
}

/// Averaging an already averaged map changes nothing: <<Phi>> = <Phi>.
template <Group G, Evaluable Phi>
double projection_error(const Symmetry<G>& symmetry, const Frame<G>& frame, Phi&& phi,
                        const Batch& x) {
  const auto once = [&](const Batch& batch) {
    return equivariant_average(symmetry, frame(batch), phi, batch);
  };
  return relative_difference(equivariant_average(symmetry, frame(x), once, x), once(x));
}

/// For frames that draw: how far mean over many draws of f(gX) and of g f(X) are apart, in standard
/// errors of their difference. Below about 5 for a frame that is equivariant in distribution.
template <Group G, Evaluable Phi>
double distribution_error(const Symmetry<G>& symmetry, const Frame<G>& frame, Phi&& phi,
                          const Batch& x, at::Generator& generator, int64_t draws = 150) {
  const auto g = symmetry.group.sample(x.size(), generator);
  const Batch gx = symmetry.group.act(symmetry.in, g, x);
  std::vector<Tensor> differences;
  for (int64_t i = 0; i < draws; ++i) {
    const Rng here{1, static_cast<uint64_t>(i)}, there{2, static_cast<uint64_t>(i)};
    const Tensor at_gx = equivariant_average(symmetry, frame(gx, there), phi, gx);
    const Tensor at_x = equivariant_average(symmetry, frame(x, here), phi, x);
    differences.push_back(at_gx - symmetry.group.act(symmetry.out, g, at_x));
  }
  const Tensor all = at::stack(differences).flatten(1);  // [draws, M]
  const Tensor mean = all.mean(0).abs();
  const Tensor error = all.std(0) / std::sqrt(static_cast<double>(draws));
  const double floor = 1e-12 * std::max(1.0, all.abs().max().item<double>());
  return (mean / error.clamp_min(floor)).max().item<double>();
}

}  // namespace equiframe::inline laws
