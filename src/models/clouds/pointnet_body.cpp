#include "models/clouds/pointnet_body.h"

#include <numeric>

#include <torch/types.h>

namespace equiframe::inline models {

PointNetBody::PointNetBody(int64_t in, const Widths& widths, FeatureTransform transform) {
  constexpr size_t kLastOfTrunk = 4;
  constexpr int64_t kHead = 256, kLastOfHead = 128;
  for (size_t k = 0; k < widths.size(); ++k)
    trunk_.push_back(register_module(
        c10::str("trunk", k + 1),
        std::make_shared<NormLinear>(k == 0 ? in : widths[k - 1], widths[k],
                                     k == kLastOfTrunk ? slope::kNone : slope::kRelu)));
  if (transform == FeatureTransform::kLearned)
    transform_net_ =
        register_module("feature_transform", std::make_shared<TransformNet>(widths[2]));
  const int64_t joined = std::accumulate(widths.begin(), widths.end(), widths[kLastOfTrunk]);
  const std::array<int64_t, 4> head{joined, kHead, kHead, kLastOfHead};
  for (size_t k = 0; k + 1 < head.size(); ++k)
    head_.push_back(register_module(
        c10::str("head", k + 1), std::make_shared<NormLinear>(head[k], head[k + 1], slope::kRelu)));
  last_ = register_module("last", torch::nn::Linear(kLastOfHead, 3));
}

Tensor PointNetBody::forward(const PackedPoints& rows, const Tensor& x) {
  constexpr size_t kTransformed = 3;  // the layer that sees L3 transformed
  std::vector<Tensor> parts;
  parts.reserve(trunk_.size());
  Tensor h = x;
  for (size_t k = 0; k < trunk_.size(); ++k) {
    if (k == kTransformed && transform_net_) {
      const Tensor transforms = transform_net_->forward(rows, h);
      if (is_training()) transforms_ = transforms;
      h = rows.multiply(h, transforms);
    }
    h = trunk_[k]->forward(h);
    parts.push_back(h);
  }
  h = head_[0]->finish(joined(rows, rows.max(h), parts));
  for (size_t k = 1; k < head_.size(); ++k) h = head_[k]->forward(h);
  return last_->forward(h);
}

Tensor PointNetBody::joined(const PackedPoints& rows, const Tensor& of_cloud,
                            const std::vector<Tensor>& parts) {
  const NormLinear& layer = *head_[0];
  int64_t column = of_cloud.size(1);
  Tensor sum;
  for (const Tensor& part : parts) {
    const Tensor weight = layer.columns(column, part.size(1));
    sum = sum.defined() ? torch::addmm(sum, part, weight) : part.mm(weight);
    column += part.size(1);
  }
  const Tensor shared =
      torch::addmm(layer.linear->bias, of_cloud, layer.columns(0, of_cloud.size(1)));
  return rows.add(sum, shared);
}

}  // namespace equiframe::inline models
