#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "equiframe/models/model.h"

namespace equiframe::inline models {

/// A network on graphs with one answer for each graph, whatever the order of its nodes. It takes a
/// batch as `graph_batch` (data/graph_batch.h) makes it: x [B, N, 2], pair [B, N, N, 1] the
/// adjacency, a mask where there is padding; of large graphs lists of neighbours in place of pair.
///
/// Task `embed`, Table 2's separation: tanh between layers, sums over nodes, lin(., 10), tanh ->
/// [B, 10]. Task `classify`: ReLU, means over nodes, lin(., 10), ReLU, lin(10, classes) -> logits
/// [B, classes]; 1 is the logit of one class against the other.
///
/// Options: `task`, `classes`, and `types`: with types = k > 0 the network sees the type of a node
/// as k channels, one of them 1, instead of a number.
class GraphModel : public Model {
 public:
  enum class Task { kEmbed, kClassify };

  Signature signature() const override { return {"S(n)", "none", "graph", "scalar"}; }

  /// Which draws `eval()` uses, of frames that draw: a graph keeps its draws as long as this stays.
  /// A model that was loaded has 0.
  virtual void set_evaluation_draws(uint64_t /*seed*/) {}

  /// [B] bool: the graphs whose answer in `eval()` does not depend on the order of their nodes.
  /// Where a frame is drawn from, this is what it returned for them, which `signature` cannot know.
  virtual Tensor invariant_items(const Batch& batch) const;

  /// Logits or embeddings. What `prepare` adds are further channels of `pair`.
  Tensor forward(const Batch& batch) override;
  /// [B, 10]: what `embed` is turned into before the last layer of a classifier; for the other task
  /// the same as `forward`.
  Tensor embedding(const Batch& batch);

 protected:
  explicit GraphModel(const Options& options);
  /// Adds the layers behind `embed`, which returns `features` numbers for each graph. Called at the
  /// end of a constructor: parameters are drawn in the order of the published scripts, so that a
  /// seed means the same network.
  void add_head(int64_t features);

  /// [B, features] of a prepared batch.
  virtual Tensor embed(const Batch& prepared) = 0;
  /// [B, 10] of a prepared batch: the head on `embed`.
  virtual Tensor embed_with_head(const Batch& prepared) { return head_on(embed(prepared)); }
  /// What is between `embed` and the last layer of a classifier.
  Tensor head_on(const Tensor& features);
  /// Whether it also takes lists of neighbours (Batch::neighbors) in place of `pair`.
  virtual bool takes_neighbors() const { return false; }
  /// Channels of `pair` in a prepared batch.
  virtual int64_t prepared_channels() const { return 1; }

  Task task() const { return task_; }
  /// tanh or ReLU.
  Tensor activate(const Tensor& x) const;
  /// Sum or mean of h [B, N, C] over the real nodes.
  Tensor pool(const Tensor& h, const Batch& batch) const;

  /// Channels of x as `embed` gets it: the type of a node, and its degree.
  int64_t inputs() const { return types_ > 0 ? types_ + 1 : kInputs; }
  static Tensor adjacency(const Batch& batch) { return batch.pair.select(-1, 0); }

 private:
  static int64_t types_option(const Options& options);
  /// x with the type of each node as channels.
  Batch encoded(const Batch& batch) const;

  static constexpr int64_t kInputs = 2;

  Task task_;
  int64_t types_, classes_;
  torch::nn::Linear head_{nullptr}, last_{nullptr};
};

/// A parameter drawn uniformly from +-sqrt(6 / (rows + columns)) of its last two axes.
Tensor glorot(at::IntArrayRef shape);

/// The real nodes as numbers, [B, N, 1]; ones if there is no padding.
Tensor node_mask(const Batch& batch);

}  // namespace equiframe::inline models
