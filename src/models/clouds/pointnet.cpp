#include <torch/types.h>

#include "models/clouds/normal_model.h"
#include "models/clouds/pointnet_body.h"

namespace equiframe::inline models {
namespace {

/// PointNet with both T-Nets, the baseline of Table 1: no symmetry but that of the order of points.
/// Options: `orthogonality` = squared | published | none, what training adds for the 128 x 128
/// transform, and its `orthogonality_weight`.
class PointNet final : public NormalModel {
 public:
  explicit PointNet(const Options& options)
      : penalty_(static_cast<Penalty>(
            options.get_choice("orthogonality", {"squared", "published", "none"}))),
        penalty_weight_(options.get_double("orthogonality_weight", 1e-3)) {
    transform_ = register_module("transform", std::make_shared<TransformNet>(3));
    body_ = register_module(
        "body", std::make_shared<PointNetBody>(3, PointNetBody::kPublished,
                                               PointNetBody::FeatureTransform::kLearned));
  }

  Tensor regularizer() const override {
    const Tensor& transforms = body_->transforms();
    if (penalty_ == Penalty::kNone || !is_training() || !transforms.defined()) return {};
    return penalty_weight_ * (penalty_ == Penalty::kSquared ? orthogonality(transforms)
                                                            : published_orthogonality(transforms));
  }

 private:
  enum class Penalty { kSquared, kPublished, kNone };

  Tensor directions(const Batch& batch) override {
    const PackedPoints rows(batch);
    const Tensor x = rows.pack(batch.x);
    return rows.unpack(body_->forward(rows, rows.multiply(x, transform_->forward(rows, x))));
  }

  Penalty penalty_;
  double penalty_weight_;
  std::shared_ptr<TransformNet> transform_;
  std::shared_ptr<PointNetBody> body_;
};

const bool kPointnetRegistered = Models::instance().add(
    "pointnet", "normals: PointNet with learned transforms of points and features",
    [](const Options& options) { return std::make_unique<PointNet>(options); });

}  // namespace
}  // namespace equiframe::inline models
