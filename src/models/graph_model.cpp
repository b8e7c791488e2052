#include "equiframe/models/graph_model.h"

#include <cmath>

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe {

GraphModel::GraphModel(const Options& options, int64_t features)
    : task_(static_cast<Task>(options.get_choice("task", {"embed", "classify"}))) {
  constexpr int64_t kEmbedding = 10;
  head_ = register_module("head", torch::nn::Linear(features, kEmbedding));
  if (task_ == Task::kClassify) last_ = register_module("last", torch::nn::Linear(kEmbedding, 1));
}

Tensor GraphModel::forward(const Batch& batch) {
  if (!batch.pair.defined() || batch.x.dim() != 3 || batch.x.size(2) != kInputs)
    throw UserError(c10::str("a network on graphs takes node features [B, N, ", kInputs,
                             "] and an adjacency [B, N, N, 1], got features of shape ",
                             batch.x.sizes(), batch.pair.defined() ? "" : " and no adjacency"));
  const Tensor embedding =
      head_->forward(embed(batch.pair.size(-1) == prepared_channels() ? batch : prepare(batch)));
  return task_ == Task::kEmbed ? torch::tanh(embedding) : last_->forward(torch::relu(embedding));
}

Tensor GraphModel::activate(const Tensor& x) const {
  return task_ == Task::kEmbed ? torch::tanh(x) : torch::relu(x);
}

Tensor GraphModel::pool(const Tensor& h, const Batch& batch) const {
  const Tensor mask = node_mask(batch);
  const Tensor sum = (h * mask).sum(1);
  return task_ == Task::kEmbed ? sum : sum / mask.sum(1).clamp_min(1);
}

Tensor node_mask(const Batch& batch) {
  return batch.mask.defined() ? batch.mask.unsqueeze(-1).to(batch.x.dtype())
                              : torch::ones({batch.size(), batch.nodes(), 1}, batch.x.options());
}

Tensor glorot(at::IntArrayRef shape) {
  const double bound = std::sqrt(6.0 / static_cast<double>(shape[shape.size() - 2] + shape.back()));
  return torch::empty(shape).uniform_(-bound, bound);
}

}  // namespace equiframe
