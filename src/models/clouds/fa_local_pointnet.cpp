#include <torch/types.h>

#include "models/clouds/framed_normals.h"
#include "models/clouds/pointnet_body.h"

namespace equiframe::inline models {
namespace {

constexpr int64_t kVectors = 42, kFeatures = 3 * kVectors;

/// What is averaged over the frames of patches: [M, k, 3] -> 42 vectors, [M, 126]. The patch is
/// read in order, nearest point first.
class PatchNet final : public Backbone {
 public:
  explicit PatchNet(int64_t k)
      : layers_{
            register_module("layer1", std::make_shared<NormLinear>(3 * k, kHidden, slope::kRelu)),
            register_module("layer2",
                            std::make_shared<NormLinear>(kHidden, kFeatures, slope::kRelu)),
            register_module("layer3",
                            std::make_shared<NormLinear>(kFeatures, kFeatures, slope::kNone))} {}

  Tensor forward(const Batch& batch) override {
    Tensor h = batch.x.flatten(1);
    for (const auto& layer : layers_) h = layer->forward(h);
    return h;
  }

 private:
  static constexpr int64_t kHidden = 63;
  std::vector<std::shared_ptr<NormLinear>> layers_;
};

/// FA-Local-PointNet of Table 1: 42 vectors for each point from the patch of its k nearest points,
/// averaged over the frame of the patch; then PointNet on the vectors, averaged over the frame of
/// all vectors of the cloud as one point set. Both centre what they see, so shifts do not matter
/// whatever `group` says. Options `local_frame`, and those of FramedNormals. `train_frame` is of
/// the cloud alone: behind the patches' averages comes a network, to which the features of one
/// element are not like their mean.
class FaLocalPointNet final : public NormalModel {
 public:
  explicit FaLocalPointNet(const Options& options)
      : k_(neighbors_option(options, "fa-local-pointnet", 20)),
        group_(with_shifts(group_option(options, "fa-local-pointnet"))) {
    const FieldType in = FieldType::parse("point");
    const FieldType out = FieldType::parse(c10::str(kVectors, " vector"));
    local_ = register_module(
        "local", std::make_shared<FrameAverage<EuclideanGroup>>(
                     Symmetry<EuclideanGroup>{group_, in, out},
                     make_frame(options.get("local_frame", "pca(degenerate=minimal)"), group_, in),
                     std::make_shared<PatchNet>(k_)));
    normals_ = register_module(
        "normals", std::make_shared<FramedNormals>(
                       group_, FieldType::parse(c10::str(kVectors, " point")), options,
                       rows_backbone(std::make_shared<PointNetBody>(kFeatures, kWidths))));
  }

  Signature signature() const override {
    const bool exact = normals_->is_exact() && local_->frame().guarantee() == Guarantee::kExact;
    return {exact ? group_.name() : "none", normals_->frame_name(), "point", "vector"};
  }

  void set_rng(const Rng& rng) override {
    constexpr uint64_t kOther = 0x9e3779b97f4a7c15u;
    local_->set_rng({rng.seed + kOther, rng.stream});
    normals_->set_rng(rng);
  }

 private:
  static constexpr PointNetBody::Widths kWidths{128, 256, 256, 512, 2048};

  static EuclideanGroup with_shifts(const EuclideanGroup& group) {
    return group.has_reflections() ? EuclideanGroup::E(3) : EuclideanGroup::SE(3);
  }

  Tensor directions(const Batch& batch) override {
    const PackedPoints rows(batch);
    const Tensor x = rows.pack(batch.x);
    const Tensor patches =
        x.index_select(0, rows.nearest(x, k_).flatten()).view({-1, k_, 3});  // [R, k, 3]
    Batch features;
    features.x = rows.unpack(local_->forward(patches));  // [B, N, 126]
    features.mask = batch.mask;
    features.id = batch.id;
    return normals_->forward(features);
  }

  int64_t k_;
  EuclideanGroup group_;
  std::shared_ptr<FrameAverage<EuclideanGroup>> local_;
  std::shared_ptr<FramedNormals> normals_;
};

const bool kFaLocalPointnetRegistered = Models::instance().add(
    "fa-local-pointnet", "normals: PointNet on features of patches, both averaged over frames",
    [](const Options& options) { return std::make_unique<FaLocalPointNet>(options); });

}  // namespace
}  // namespace equiframe::inline models
