#include "nn/steerable/particle_graph.h"

#include <limits>

#include <torch/types.h>

namespace equiframe::inline nn {
namespace {

/// a_0, b_0, a_1, b_1, ...
Tensor interleave(const Tensor& a, const Tensor& b) {
  return torch::stack({a, b}, 1).flatten(0, 1);
}

}  // namespace

ParticleGraph particle_graph(const Batch& batch, const Tensor& position,
                             const AngularBasis& basis) {
  const int64_t n = batch.nodes();
  ParticlePairs pairs = all_pairs(batch);
  const Tensor x = position.reshape({-1, 3});
  const auto gaps = [&] {
    return x.index_select(0, pairs.first) - x.index_select(0, pairs.second);  // [P, 3]
  };
  const Tensor order = gaps().detach().square().sum(1).argsort(int64_t{0}, false);
  pairs = {pairs.first.index_select(0, order), pairs.second.index_select(0, order)};
  const Tensor gap = gaps();
  const Tensor distance = torch::linalg_vector_norm(gap, 2, {1});
  // Coincident particles have no direction: the zero vector keeps what is invariant.
  const Tensor unit = gap / torch::where(distance > 0, distance, 1.0).to(x.dtype()).unsqueeze(1);
  const Tensor target = interleave(pairs.first, pairs.second);
  // Slot of j at i: j itself below i, one less above.
  const Tensor slot = interleave(pairs.first * (n - 1) + pairs.second.remainder(n) - 1,
                                 pairs.second * (n - 1) + pairs.first.remainder(n));
  const Tensor incoming =
      x.new_zeros({x.size(0)}).index_add(0, target, x.new_ones({target.size(0)})).clamp_min(1);
  return {.nodes = x.size(0),
          .slots = n - 1,
          .pairs = pairs,
          .distance = distance,
          .basis = basis(interleave(unit, -unit)),
          .target = target,
          .slot = slot,
          .incoming = incoming.view({-1, 1, 1})};
}

Tensor sum_at_targets(const ParticleGraph& graph, const Tensor& messages) {
  return messages.new_zeros({graph.nodes, messages.size(1), messages.size(2)})
      .index_add(0, graph.target, messages);
}

Tensor softmax_at_targets(const ParticleGraph& graph, const Tensor& scores) {
  // Empty slots hold a number no score reaches; where all are empty nobody reads the result.
  const Tensor empty = torch::full({graph.nodes * graph.slots},
                                   std::numeric_limits<float>::lowest(), scores.options());
  return empty.index_copy(0, graph.slot, scores)
      .view({graph.nodes, graph.slots})
      .softmax(1)
      .flatten()
      .index_select(0, graph.slot);
}

}  // namespace equiframe::inline nn
