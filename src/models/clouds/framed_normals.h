#pragma once

#include "equiframe/averaging/frame_average.h"
#include "models/clouds/normal_model.h"
#include "nn/clouds/packed_points.h"

namespace equiframe::inline models {

/// A network for directions, averaged over a frame of its input. Its options:
/// `group` E(3), SE(3), O(3) or SO(3): what the frame is of; `frame` (pca); `train_frame`, another
/// one while training, such as sampled(k=1, base=pca); and `output`:
///   vector   the mean of the copies' directions, as published. What is mirror symmetric, such as a
///            planar cloud under E(3), can have no normal component.
///   tensor   the mean of n n^T over the copies and its leading axis. Copies that differ in sign do
///            not cancel. Its sign is that of the mean direction, where there is one.
class FramedNormals final : public Backbone {
 public:
  /// `in` types the channels of the input; `net` maps [M, N, C] to directions [M, N, 3] in them.
  FramedNormals(const EuclideanGroup& group, const FieldType& in, const Options& options,
                std::shared_ptr<Backbone> net, const std::string& usual_frame = "pca");

  /// [B, N, 3], not of unit length for `vector`.
  Tensor forward(const Batch& batch) override;

  void set_rng(const Rng& rng) { average_->set_rng(rng); }
  const std::string& frame_name() const { return frame_; }
  /// Whether the average is equivariant at each call, and not only in distribution or not at all.
  bool is_exact() const { return average_->frame().guarantee() == Guarantee::kExact; }

 private:
  enum class Output { kVector, kTensor };

  std::string frame_;
  Output output_;
  std::shared_ptr<FrameAverage<EuclideanGroup>> average_;
};

/// A network on points and nothing else, averaged over a frame of them.
class FramedNormalModel : public NormalModel {
 public:
  Signature signature() const override {
    return {normals_->is_exact() ? group_.name() : "none", normals_->frame_name(), "point",
            "vector"};
  }
  void set_rng(const Rng& rng) override { normals_->set_rng(rng); }

 protected:
  FramedNormalModel(const std::string& name, const Options& options, std::shared_ptr<Backbone> net);

 private:
  Tensor directions(const Batch& batch) final { return normals_->forward(batch); }

  EuclideanGroup group_;
  std::shared_ptr<FramedNormals> normals_;
};

/// A network on rows, `forward(rows, x [R, C]) -> [R, C']`, as a backbone of batches.
template <class Body>
class RowsBackbone final : public Backbone {
 public:
  explicit RowsBackbone(std::shared_ptr<Body> body)
      : body_(register_module("body", std::move(body))) {}
  Tensor forward(const Batch& batch) override {
    const PackedPoints rows(batch);
    return rows.unpack(body_->forward(rows, rows.pack(batch.x)));
  }

 private:
  std::shared_ptr<Body> body_;
};

template <class Body>
std::shared_ptr<Backbone> rows_backbone(std::shared_ptr<Body> body) {
  return std::make_shared<RowsBackbone<Body>>(std::move(body));
}

/// The option `group` of a model on points of space.
EuclideanGroup group_option(const Options& options, const std::string& model);

}  // namespace equiframe::inline models
