#include "equiframe/core/batch.h"

#include <torch/types.h>

namespace equiframe::inline core {
namespace {

/// Zeros up to `nodes` along the node axes, the `axes` ones behind the first.
Tensor padded(const Tensor& part, int64_t nodes, int64_t axes) {
  auto shape = part.sizes().vec();
  for (int64_t axis = 1; axis <= axes; ++axis) shape[static_cast<size_t>(axis)] = nodes;
  if (part.sizes() == at::IntArrayRef(shape)) return part;
  const Tensor result = torch::zeros(shape, part.options());
  Tensor place = result;
  for (int64_t axis = 1; axis <= axes; ++axis) place = place.narrow(axis, 0, part.size(axis));
  place.copy_(part);
  return result;
}

}  // namespace

Tensor point_weights(const Batch& batch) {
  Tensor result;
  if (batch.mask.defined()) result = batch.mask.to(torch::kFloat64);
  if (batch.weights.defined()) {
    const Tensor weights = batch.weights.to(torch::kFloat64);
    result = result.defined() ? result * weights : weights;
  }
  return result;
}

Batch to_type(const Batch& batch, c10::ScalarType type) {
  return batch.map([&](const Tensor& t) { return t.is_floating_point() ? t.to(type) : t; });
}

Batch concat(const std::vector<Batch>& batches) {
  TORCH_CHECK(!batches.empty(), "no batches to join");
  int64_t nodes = 0;
  bool masked = false;
  for (const Batch& batch : batches) {
    TORCH_CHECK(!batch.neighbors.defined(), "batches of sparse neighbours cannot be joined");
    masked = masked || batch.mask.defined() || batch.nodes() != batches.front().nodes();
    nodes = std::max(nodes, batch.nodes());
  }
  const auto join = [&](Tensor Batch::*part, int64_t axes) {
    std::vector<Tensor> parts;
    parts.reserve(batches.size());
    for (const Batch& batch : batches)
      if ((batch.*part).defined()) parts.push_back(padded(batch.*part, nodes, axes));
    TORCH_CHECK(parts.empty() || parts.size() == batches.size(),
                "a part that only some batches have");
    return parts.empty() ? Tensor() : torch::cat(parts);
  };
  Batch result(join(&Batch::x, 1));
  result.pair = join(&Batch::pair, 2);
  result.weights = join(&Batch::weights, 1);
  result.id = join(&Batch::id, 0);
  if (!masked) return result;
  std::vector<Tensor> masks;
  masks.reserve(batches.size());
  for (const Batch& batch : batches)
    masks.push_back(padded(batch.mask.defined()
                               ? batch.mask
                               : torch::ones({batch.size(), batch.nodes()}, torch::kBool),
                           nodes, 1));
  result.mask = torch::cat(masks);
  return result;
}

}  // namespace equiframe::inline core
