#include "models/graphs/averaged_graph_model.h"

#include <torch/types.h>

#include "equiframe/averaging/average.h"
#include "equiframe/core/error.h"

namespace equiframe::inline models {
namespace {

constexpr auto kNode = PermutationType::Kind::kNode, kSet = PermutationType::Kind::kSet;

Tensor with_zeros(const Tensor& x, int64_t axis, int64_t size) {
  if (x.size(axis) == size) return x;
  auto shape = x.sizes().vec();
  shape[static_cast<size_t>(axis)] = size - x.size(axis);
  return torch::cat({x, torch::zeros(shape, x.options())}, axis);
}

}  // namespace

AveragedGraphModel::AveragedGraphModel(const Options& options, int64_t nodes)
    : GraphModel(options),
      nodes_(nodes),
      group_(nodes),
      frame_(options.get("frame", "canonical")),
      average_(static_cast<Average>(options.get_choice("average", {"outputs", "features"}))),
      made_(make_frame(frame_, group_, kNode)),
      fixed_order_(frame_.rfind("canonical", 0) == 0 || frame_.rfind("identity", 0) == 0) {}

Signature AveragedGraphModel::signature() const {
  return {made_->guarantee() == Guarantee::kExact ? "S(n)" : "none", frame_, "graph", "scalar",
          average_ == Average::kOutputs ? "outputs" : "features"};
}

Tensor AveragedGraphModel::invariant_items(const Batch& batch) const {
  if (made_->guarantee() == Guarantee::kNone) return torch::zeros({batch.size()}, torch::kBool);
  if (made_->guarantee() == Guarantee::kExact) return GraphModel::invariant_items(batch);
  const Tensor exact = (*made_)(padded(batch), Rng{evaluation_seed_, 0}).exact;
  return exact.defined() ? exact : GraphModel::invariant_items(batch);
}

Batch AveragedGraphModel::padded(const Batch& batch) const {
  if (batch.nodes() == nodes_) return batch;
  if (batch.nodes() > nodes_) {
    const int64_t largest =
        batch.mask.defined() ? batch.mask.sum(1).max().item<int64_t>() : batch.nodes();
    throw UserError(c10::str("a graph has ", largest, " nodes or places, the network takes ",
                             nodes_, "; make it with nodes=", batch.nodes()));
  }
  Batch result = batch;
  result.x = with_zeros(batch.x, 1, nodes_);
  result.pair = with_zeros(with_zeros(batch.pair, 1, nodes_), 2, nodes_);
  const Tensor real =
      batch.mask.defined() ? batch.mask : torch::ones({batch.size(), batch.nodes()}, torch::kBool);
  result.mask = with_zeros(real, 1, nodes_);
  return result;
}

Batch AveragedGraphModel::prepare(const Batch& batch) const {
  Batch ready = padded(batch);
  if (fixed_order_) {
    const auto frame = (*made_)(ready, Rng{});
    ready = group_.act_inverse(kNode, frame.elements.select(1, 0), ready);
  }
  ready.pair = torch::cat({ready.pair, torch::zeros_like(ready.pair)}, -1);
  return ready;
}

Tensor AveragedGraphModel::embed(const Batch& batch) {
  return mean_over_frame(batch, [this](const Batch& framed) { return features_of(framed); });
}

Tensor AveragedGraphModel::embed_with_head(const Batch& batch) {
  if (average_ == Average::kFeatures) return head_on(embed(batch));
  return mean_over_frame(batch,
                         [this](const Batch& framed) { return head_on(features_of(framed)); });
}

Tensor AveragedGraphModel::mean_over_frame(const Batch& batch,
                                           const std::function<Tensor(const Batch&)>& phi) {
  Batch ordered = batch;
  ordered.pair = batch.pair.narrow(-1, 0, 1);
  if (fixed_order_) return phi(ordered);
  const Rng rng = is_training() ? rng_ : Rng{evaluation_seed_, 0};
  const Symmetry<SymmetricGroup> symmetry{group_, kNode, kSet};
  return equivariant_average(symmetry, (*made_)(ordered, rng), phi, ordered);
}

}  // namespace equiframe::inline models
