#pragma once

#include <utility>
#include <vector>

#include "equiframe/core/tensor.h"
#include "equiframe/export.h"

namespace equiframe::inline core {

/// A batch of sets or graphs, padded to a common size. Only `x` is always there.
struct Batch {
  Tensor x;        ///< [B, N, C]     node features
  Tensor pair;     ///< [B, N, N, E]  edge features or adjacency, all pairs
  Tensor mask;     ///< [B, N] bool   true = a real node; undefined = no padding
  Tensor weights;  ///< [B, N]        importance of each point to the frame; undefined = equal
  Tensor id;       ///< [B] int64     names of the items, for randomness that follows the item
  /// [B, N, D] int64: the nodes that send to each node, -1 = none; the sparse form of `pair`.
  Tensor neighbors;
  Tensor edge;  ///< [B, N, D, E]  features of those edges

  Batch() = default;
  /// Implicit on purpose: a plain tensor is a batch.
  Batch(Tensor features) : x(std::move(features)) {}  // NOLINT(google-explicit-constructor)

  int64_t size() const { return x.size(0); }
  int64_t nodes() const { return x.size(1); }

  /// f applied to every part that is defined.
  template <class F>
  Batch map(F&& f) const {
    Batch result;
    if (x.defined()) result.x = f(x);
    if (pair.defined()) result.pair = f(pair);
    if (mask.defined()) result.mask = f(mask);
    if (weights.defined()) result.weights = f(weights);
    if (id.defined()) result.id = f(id);
    if (neighbors.defined()) result.neighbors = f(neighbors);
    if (edge.defined()) result.edge = f(edge);
    return result;
  }

  /// The same batch with other node features.
  Batch with_x(Tensor features) const {
    Batch result = *this;
    result.x = std::move(features);
    return result;
  }
};

/// The same with the floating-point parts in `type`.
EQUIFRAME_API Batch to_type(const Batch& batch, c10::ScalarType type);

/// Weight of each point as the frames see it, [B, N] float64: mask times weights; undefined if the
/// batch has neither.
EQUIFRAME_API Tensor point_weights(const Batch& batch);

/// The items of all batches in one, padded with zeros to the most nodes. Either all or none of them
/// may have a part; a mask is made where sizes differ. Sparse neighbours are not supported.
EQUIFRAME_API Batch concat(const std::vector<Batch>& batches);

}  // namespace equiframe::inline core
