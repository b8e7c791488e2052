#include "models/graphs/graph_model.h"

#include <cmath>

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline models {

GraphModel::GraphModel(const Options& options)
    : task_(static_cast<Task>(options.get_choice("task", {"embed", "classify"}))),
      types_(types_option(options)),
      classes_(task_ == Task::kClassify ? options.get_int("classes", 1) : 0) {
  if (task_ == Task::kClassify && classes_ < 1)
    throw UserError("a network on graphs: classes must be 1 or more");
}

void GraphModel::add_head(int64_t features) {
  constexpr int64_t kEmbedding = 10;
  head_ = register_module("head", torch::nn::Linear(features, kEmbedding));
  if (task_ == Task::kClassify)
    last_ = register_module("last", torch::nn::Linear(kEmbedding, classes_));
}

int64_t GraphModel::types_option(const Options& options) {
  const int64_t types = options.get_int("types", 0);
  if (types < 0) throw UserError("a network on graphs: types must be 0 or more");
  return types;
}

Batch GraphModel::encoded(const Batch& batch) const {
  if (types_ == 0) return batch;
  const Tensor type = batch.x.select(-1, 0).to(torch::kLong);
  if (type.numel() > 0) {
    const auto [least, most] = torch::aminmax(type);
    if (least.item<int64_t>() < 0 || most.item<int64_t>() >= types_)
      throw UserError(c10::str("a node is of type ",
                               (least.item<int64_t>() < 0 ? least : most).item<int64_t>(),
                               ", the network knows 0 to ", types_ - 1, "; set model.types"));
  }
  const Tensor one_hot = torch::one_hot(type, types_).to(batch.x.dtype()) * node_mask(batch);
  return batch.with_x(torch::cat({one_hot, batch.x.narrow(-1, 1, 1)}, -1));
}

Tensor GraphModel::embedding(const Batch& batch) {
  if (!batch.pair.defined() && batch.neighbors.defined() && !takes_neighbors())
    throw UserError(c10::str("a graph of ", batch.nodes(),
                             " nodes comes as lists of neighbours, this network needs all pairs of "
                             "nodes; gcn and gin take such graphs"));
  if (!(batch.pair.defined() || batch.neighbors.defined()) || batch.x.dim() != 3 ||
      batch.x.size(2) != kInputs)
    throw UserError(c10::str("a network on graphs takes node features [B, N, ", kInputs,
                             "] and an adjacency [B, N, N, 1], got features of shape ",
                             batch.x.sizes(), batch.pair.defined() ? "" : " and no adjacency"));
  const bool ready = !batch.pair.defined() || batch.pair.size(-1) == prepared_channels();
  return embed_with_head(encoded(ready ? batch : prepare(batch)));
}

Tensor GraphModel::head_on(const Tensor& features) {
  return activate(head_->forward(features));
}

Tensor GraphModel::invariant_items(const Batch& batch) const {
  return torch::ones({batch.size()}, torch::kBool);
}

Tensor GraphModel::forward(const Batch& batch) {
  const Tensor features = embedding(batch);
  return task_ == Task::kEmbed ? features : last_->forward(features);
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

}  // namespace equiframe::inline models
