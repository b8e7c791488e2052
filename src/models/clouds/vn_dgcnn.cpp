#include <torch/types.h>

#include "models/clouds/normal_model.h"
#include "nn/clouds/vector_neurons.h"

namespace equiframe::inline models {
namespace {

/// VN-DGCNN for normals: the published network for part segmentation without its label, whose three
/// outputs c are read as coordinates in the point's own frame, n = sum_k c_k z_k. The cloud is
/// centred first: E(3)-equivariant, the output ignores shifts. Options `k`, `pool` = mean | max.
class VnDgcnn final : public NormalModel {
 public:
  explicit VnDgcnn(const Options& options)
      : k_(neighbors_option(options, "vn-dgcnn", 40)),
        pool_(options.get_choice("pool", {"mean", "max"}) == 0 ? Pool::kMean : Pool::kMax) {
    using Block = VectorBlock;
    const auto block = [this](const std::string& name, int64_t in, int64_t out) {
      return register_module(name, std::make_shared<Block>(in, out, slope::kLeaky));
    };
    levels_ = {
        {block("edges1", 2, kWidth), block("edges1_second", kWidth, kWidth), nullptr},
        {block("edges2", 2 * kWidth, kWidth), block("edges2_second", kWidth, kWidth), nullptr},
        {block("edges3", 2 * kWidth, kWidth), nullptr, nullptr}};
    for (size_t k = 0; k < levels_.size(); ++k)
      levels_[k].pool =
          register_module(c10::str("pool", k + 1), std::make_shared<VectorPool>(kWidth, pool_));
    wide_ = register_module("wide", std::make_shared<Block>(3 * kWidth, kWide, slope::kLeaky,
                                                            Block::Directions::kShared));
    frame_ = register_module("frame", std::make_shared<VectorFrame>(2 * kWide, slope::kLeaky));
    const auto layer = [this](const std::string& name, int64_t in, int64_t out) {
      return register_module(
          name, std::make_shared<NormLinear>(in, out, slope::kLeaky, NormLinear::Bias::kNo));
    };
    head_ = {layer("head1", kShared + kOwn, 256), layer("head2", 256, 256),
             layer("head3", 256, 128)};
    last_ =
        register_module("last", torch::nn::Linear(torch::nn::LinearOptions(128, 3).bias(false)));
  }

  Signature signature() const override { return {"E(3)", "none", "point", "vector"}; }

 private:
  static constexpr int64_t kWidth = 21, kWide = 341;
  static constexpr int64_t kShared = 6 * kWide, kOwn = 9 * kWidth;  // inputs of the head

  struct Level {
    std::shared_ptr<VectorBlock> first, second;
    std::shared_ptr<VectorPool> pool;

    Tensor forward(const Tensor& v, const Tensor& neighbors) const {
      const Tensor edges = first->forward_edges(v, neighbors);  // [R, k, 3, C]
      if (!second) return pool->forward(edges);
      return pool->forward(
          second->forward(edges.flatten(0, 1)).unflatten(0, {-1, neighbors.size(1)}));
    }
  };

  Tensor directions(const Batch& batch) override {
    const PackedPoints rows(batch);
    Tensor v = rows.pack(centred(batch).x).unsqueeze(-1);  // [R, 3, 1]
    std::vector<Tensor> levels;
    levels.reserve(levels_.size());
    for (const Level& level : levels_) {
      v = level.forward(v, rows.nearest(v, k_));
      levels.push_back(v);
    }
    const Tensor local = torch::cat(levels, 2);  // [R, 3, 63]
    const Tensor wide = wide_->forward(local);
    const Tensor mean = rows.mean(wide);                      // [M, 3, 341]
    const Tensor z = frame_->forward(rows, wide, mean);       // [R, 3, 3]
    const Tensor of_cloud = invariants(rows, wide, mean, z);  // [M, 2046]
    const Tensor joined = rows.add(project(local, z).mm(head_[0]->columns(kShared, kOwn)),
                                   of_cloud.mm(head_[0]->columns(0, kShared)));
    constexpr double kDropped = 0.5;
    Tensor h = torch::dropout(head_[0]->finish(joined), kDropped, is_training());
    h = torch::dropout(head_[1]->forward(h), kDropped, is_training());
    const Tensor c = last_->forward(head_[2]->forward(h));  // [R, 3]
    return rows.unpack(z.bmm(c.unsqueeze(-1)).squeeze(-1));
  }

  /// max over the points of <V_c, z_k>, V being `wide` and the mean of its cloud.
  static Tensor invariants(const PackedPoints& rows, const Tensor& wide, const Tensor& mean,
                           const Tensor& z) {
    return torch::cat({rows.max(project(wide, z)), rows.max(rows.project(mean, z))}, 1);
  }

  int64_t k_;
  Pool pool_;
  std::vector<Level> levels_;
  std::shared_ptr<VectorBlock> wide_;
  std::shared_ptr<VectorFrame> frame_;
  std::vector<std::shared_ptr<NormLinear>> head_;
  torch::nn::Linear last_{nullptr};
};

const bool kVnDgcnnRegistered = Models::instance().add(
    "vn-dgcnn", "normals: vector neurons on graphs of nearest neighbours",
    [](const Options& options) { return std::make_unique<VnDgcnn>(options); });

}  // namespace
}  // namespace equiframe::inline models
