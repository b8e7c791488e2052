// Networks that see the order of the nodes, averaged over a frame of S(n).
#pragma once

#include <functional>

#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "models/graphs/graph_model.h"

namespace equiframe::inline models {

/// A network on ordered graphs of `nodes` slots, made invariant by a mean over the elements of a
/// frame. Options `frame` (canonical; laplacian, whole(samples=k) and the like draw anew at each
/// training step and by the item in `eval()`), `nodes`, and `average`:
///   outputs   (default) the mean of what the network answers, Eq. 2, and of k draws Eq. 7. That is
///             the mean behind the head, as the last layer of a classifier is affine;
///   features  the mean of `features_of`, before the head: invariant too where the frame is exact,
///             but of k > 1 draws no unbiased estimate of the average.
/// For one element both are the same network.
class AveragedGraphModel : public GraphModel {
 public:
  Signature signature() const override;
  Tensor invariant_items(const Batch& batch) const override;
  void set_rng(const Rng& rng) override { rng_ = rng; }
  void set_evaluation_draws(uint64_t seed) override { evaluation_seed_ = seed; }

  /// A frame of one element for each graph is applied here, once.
  Batch prepare(const Batch& batch) const override;

 protected:
  AveragedGraphModel(const Options& options, int64_t nodes);

  /// [B, features] of graphs in the order their nodes come in.
  virtual Tensor features_of(const Batch& ordered) = 0;
  int64_t nodes() const { return nodes_; }

 private:
  enum class Average { kOutputs, kFeatures };

  Tensor embed(const Batch& batch) final;
  Tensor embed_with_head(const Batch& batch) final;
  /// The mean of phi over the frame of a prepared batch.
  Tensor mean_over_frame(const Batch& batch, const std::function<Tensor(const Batch&)>& phi);
  int64_t prepared_channels() const final { return kPrepared; }
  /// The batch with `nodes` slots.
  Batch padded(const Batch& batch) const;

  static constexpr int64_t kPrepared = 2;  // a channel of zeros says so

  int64_t nodes_;
  SymmetricGroup group_;
  std::string frame_;
  Average average_;
  std::shared_ptr<const Frame<SymmetricGroup>> made_;
  bool fixed_order_;  // the frame is one element that depends on the graph alone
  Rng rng_{0, 1};     // of the next training step
  uint64_t evaluation_seed_ = 0;
};

}  // namespace equiframe::inline models
