#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/models/model.h"

namespace equiframe {

/// A network on graphs with one answer for each graph, whatever the order of its nodes. It takes a
/// batch as `graph_batch` (data/graph_batch.h) makes it: x [B, N, 2], pair [B, N, N, 1] the
/// adjacency, a mask where there is padding.
///
/// | task     | between layers | over nodes | head                        | answer               |
/// |----------|----------------|------------|-----------------------------|----------------------|
/// | embed    | tanh           | sum        | lin(., 10), tanh            | [B, 10], Table 2's
/// separation | | classify | ReLU           | mean       | lin(., 10), ReLU, lin(10, 1) | [B, 1], a
/// logit      |
class GraphModel : public Model {
 public:
  enum class Task { kEmbed, kClassify };

  Signature signature() const override { return {"S(n)", "none", "graph", "scalar"}; }

  /// The batch with what the network computes of each graph once, such as spectra, as further
  /// channels of `pair`. `forward` does it for batches that come without; a data set that is seen
  /// often is better prepared once.
  virtual Batch prepare(const Batch& batch) const { return batch; }

  Tensor forward(const Batch& batch) override;

 protected:
  /// `options` gives the task. `features` is what `embed` returns for each graph.
  GraphModel(const Options& options, int64_t features);

  /// [B, features] of a prepared batch.
  virtual Tensor embed(const Batch& prepared) = 0;
  /// Channels of `pair` in a prepared batch.
  virtual int64_t prepared_channels() const { return 1; }

  Task task() const { return task_; }
  /// tanh or ReLU.
  Tensor activate(const Tensor& x) const;
  /// Sum or mean of h [B, N, C] over the real nodes.
  Tensor pool(const Tensor& h, const Batch& batch) const;

  static constexpr int64_t kInputs = 2;  ///< channels of x
  static Tensor adjacency(const Batch& batch) { return batch.pair.select(-1, 0); }

 private:
  Task task_;
  torch::nn::Linear head_{nullptr}, last_{nullptr};
};

/// A parameter drawn uniformly from +-sqrt(6 / (rows + columns)) of its last two axes.
Tensor glorot(at::IntArrayRef shape);

/// The real nodes as numbers, [B, N, 1]; ones if there is no padding.
Tensor node_mask(const Batch& batch);

}  // namespace equiframe
