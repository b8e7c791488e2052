#pragma once

#include "nn/graphs/particles.h"
#include "nn/steerable/angular_basis.h"

namespace equiframe::inline nn {

/// The complete graph on the particles of each item, as steerable convolutions see it. Edge 2 p
/// goes from second to first of pair p, edge 2 p + 1 back.
struct ParticleGraph {
  int64_t nodes;        // B N
  int64_t slots;        // N - 1, edges that can end at a node
  ParticlePairs pairs;  // in order of distance, so that ReLU features of it vanish in runs
  Tensor distance;      // [P]
  Tensor basis;         // angular, at the unit vectors along the edges
  Tensor target;        // [2 P] int64, the node an edge ends at
  Tensor slot;          // [2 P] int64, its own place in [nodes, slots]
  Tensor incoming;      // [nodes, 1, 1], number of edges that end there, at least 1
};
ParticleGraph particle_graph(const Batch& batch, const Tensor& position, const AngularBasis& basis);

/// Sums messages [2 P, R, C] at the nodes they are sent to, [nodes, R, C].
Tensor sum_at_targets(const ParticleGraph& graph, const Tensor& messages);

/// Softmax of scores [2 P] over the edges that end at the same node.
Tensor softmax_at_targets(const ParticleGraph& graph, const Tensor& scores);

}  // namespace equiframe::inline nn
