#include <torch/types.h>

#include "models/clouds/normal_model.h"
#include "nn/clouds/vector_neurons.h"

namespace equiframe::inline models {
namespace {

using Block = VectorBlock;

/// 42 vectors of a cloud, in place of PointNet's T-Net.
class VectorTransformNet final : public torch::nn::Module {
 public:
  VectorTransformNet(int64_t channels, Pool pool) {
    const auto block = [this](const std::string& name, int64_t in, int64_t out) {
      return register_module(name, std::make_shared<Block>(in, out, slope::kRelu));
    };
    of_points_ = {block("points1", channels, 21), block("points2", 21, 42),
                  block("points3", 42, 341)};
    pool_ = register_module("pool", std::make_shared<VectorPool>(341, pool));
    of_clouds_ = {block("clouds1", 341, 170), block("clouds2", 170, 85)};
    last_ = register_module("last",
                            torch::nn::Linear(torch::nn::LinearOptions(85, channels).bias(false)));
  }

  /// v [R, 3, C] -> [M, 3, C].
  Tensor forward(const PackedPoints& rows, const Tensor& v, const Tensor& mask) {
    Tensor h = v;
    for (const auto& block : of_points_) h = block->forward(h);
    h = pool_->forward(rows.unpack(h), mask);
    for (const auto& block : of_clouds_) h = block->forward(h);
    return map_vectors(h, last_->weight);
  }

 private:
  std::vector<std::shared_ptr<Block>> of_points_, of_clouds_;
  std::shared_ptr<VectorPool> pool_;
  torch::nn::Linear last_{nullptr};
};

/// VN-PointNet for normals: the published network for part segmentation without its label, whose
/// three outputs c are read as coordinates in the point's own frame, n = sum_k c_k z_k. A cross
/// product of its input makes it equivariant to rotations only; the cloud is centred first.
/// Options `k`, `pool` = mean | max.
class VnPointNet final : public NormalModel {
 public:
  explicit VnPointNet(const Options& options) : k_(neighbors_option(options, "vn-pointnet", 40)) {
    const Pool pool = options.get_choice("pool", {"mean", "max"}) == 0 ? Pool::kMean : Pool::kMax;
    const auto block = [this](const std::string& name, int64_t in, int64_t out) {
      return register_module(name, std::make_shared<Block>(in, out, slope::kRelu));
    };
    edges_ = block("edges", 3, 21);
    pool_ = register_module("pool", std::make_shared<VectorPool>(21, pool));
    trunk_ = {block("trunk1", 21, 21), block("trunk2", 21, 42), block("trunk3", 42, 42)};
    transform_ = register_module("transform", std::make_shared<VectorTransformNet>(42, pool));
    joined_ = block("trunk4", 84, 170);
    wide_ = register_module("trunk5",
                            torch::nn::Linear(torch::nn::LinearOptions(170, kWide).bias(false)));
    wide_norm_ = register_module("trunk5_norm", std::make_shared<RowNorm>(kWide));
    frame_ = register_module("frame", std::make_shared<VectorFrame>(2 * kWide, slope::kRelu));
    const auto layer = [this](const std::string& name, int64_t in, int64_t out) {
      return register_module(name, std::make_shared<NormLinear>(in, out, slope::kRelu));
    };
    head_ = {layer("head1", kAll + kTrunk + kAll, 256), layer("head2", 256, 256),
             layer("head3", 256, 128)};
    last_ = register_module("last", torch::nn::Linear(128, 3));
  }

  Signature signature() const override { return {"SE(3)", "none", "point", "vector"}; }

 private:
  static constexpr int64_t kWide = 682;
  static constexpr int64_t kAll = 6 * kWide, kTrunk = 3L * (21 + 42 + 42 + 170);

  /// Channels x_j - x_i, x_i and x_j x x_i of the edges, [R k, 3, 3].
  Tensor edge_features(const Tensor& x, const Tensor& neighbors) const {
    const Tensor other = x.index_select(0, neighbors.flatten()).view({-1, k_, 3});
    const Tensor own = x.unsqueeze(1).expand_as(other);
    return torch::stack({other - own, own, torch::linalg_cross(other, own)}, -1).flatten(0, 1);
  }

  Tensor directions(const Batch& batch) override {
    const PackedPoints rows(batch);
    const Tensor x = rows.pack(centred(batch).x);
    const Tensor edges = edges_->forward(edge_features(x, rows.nearest(x, k_)));
    Tensor v = pool_->forward(edges.unflatten(0, {-1, k_}));  // [R, 3, 21]
    std::vector<Tensor> trunk;
    trunk.reserve(trunk_.size() + 1);
    for (const auto& block : trunk_) trunk.push_back(v = block->forward(v));
    v = joined_->forward(rows, v, transform_->forward(rows, v, batch.mask));
    trunk.push_back(v);
    const Tensor wide = normalize_vectors(map_vectors(v, wide_->weight), *wide_norm_);
    const Tensor mean = rows.mean(wide);                 // [M, 3, 682]
    const Tensor z = frame_->forward(rows, wide, mean);  // [R, 3, 3]
    const Tensor c = coordinates(rows, torch::cat(trunk, 2), wide, mean, z);
    return rows.unpack(z.bmm(c.unsqueeze(-1)).squeeze(-1));
  }

  /// The head on invariants [max over the cloud, trunk, point], [R, 3]; the first part once for
  /// each cloud.
  Tensor coordinates(const PackedPoints& rows, const Tensor& trunk, const Tensor& wide,
                     const Tensor& mean, const Tensor& z) {
    const Tensor own = project(wide, z), common = rows.project(mean, z);  // [R, 2046] each
    const Tensor of_cloud = torch::cat({rows.max(own), rows.max(common)}, 1);
    const NormLinear& first = *head_[0];
    constexpr int64_t kHalf = kAll / 2;
    Tensor h = project(trunk, z).mm(first.columns(kAll, kTrunk));
    h = torch::addmm(h, own, first.columns(kAll + kTrunk, kHalf));
    h = torch::addmm(h, common, first.columns(kAll + kTrunk + kHalf, kHalf));
    h = rows.add(h, torch::addmm(first.linear->bias, of_cloud, first.columns(0, kAll)));
    h = head_[2]->forward(head_[1]->forward(head_[0]->finish(h)));
    return last_->forward(h);
  }

  int64_t k_;
  std::shared_ptr<Block> edges_, joined_;
  std::shared_ptr<VectorPool> pool_;
  std::vector<std::shared_ptr<Block>> trunk_;
  std::shared_ptr<VectorTransformNet> transform_;
  torch::nn::Linear wide_{nullptr};
  std::shared_ptr<RowNorm> wide_norm_;
  std::shared_ptr<VectorFrame> frame_;
  std::vector<std::shared_ptr<NormLinear>> head_;
  torch::nn::Linear last_{nullptr};
};

const bool kVnPointnetRegistered = Models::instance().add(
    "vn-pointnet", "normals: vector neurons on clouds, equivariant to rotations",
    [](const Options& options) { return std::make_unique<VnPointNet>(options); });

}  // namespace
}  // namespace equiframe::inline models
