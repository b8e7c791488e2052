#include "models/clouds/dgcnn_body.h"

#include <torch/types.h>

namespace equiframe::inline models {
namespace {

constexpr int64_t kWidth = 64, kGlobal = 1024;

std::shared_ptr<NormLinear> leaky_layer(int64_t in, int64_t out) {
  return std::make_shared<NormLinear>(in, out, slope::kLeaky, NormLinear::Bias::kNo);
}

}  // namespace

DgcnnBody::DgcnnBody(const Shape& shape) : shape_(shape) {
  const auto add = [this](const std::string& name, int64_t in, int64_t out) {
    return register_module(name, leaky_layer(in, out));
  };
  if (shape.tnet) {
    tnet_edges_ = register_module("tnet_edges", std::make_shared<EdgeConvolution>(
                                                    std::vector<int64_t>{3, 64, 128}, Pool::kMax));
    tnet_ = {add("tnet1", 128, kGlobal), add("tnet2", kGlobal, 512), add("tnet3", 512, 256)};
    tnet_last_ = register_module("tnet_last", torch::nn::Linear(256, 9));
    const torch::NoGradGuard guard;
    tnet_last_->weight.zero_();
    tnet_last_->bias.copy_(torch::eye(3).flatten());
  }
  for (const auto& widths : std::vector<std::vector<int64_t>>{
           {3, kWidth, kWidth}, {kWidth, kWidth, kWidth}, {kWidth, kWidth}})
    edges_.push_back(register_module(c10::str("edges", edges_.size() + 1),
                                     std::make_shared<EdgeConvolution>(widths, shape.pool)));
  const int64_t all = 3 * kWidth;
  global_ = add("global", all + (shape.coordinates ? 3 : 0), kGlobal);
  head_ = {add("head1", kGlobal + all, 256), add("head2", 256, 256), add("head3", 256, 128)};
  last_ = register_module("last", torch::nn::Linear(torch::nn::LinearOptions(128, 3).bias(false)));
}

Tensor DgcnnBody::transforms(const PackedPoints& rows, const Tensor& x) {
  Tensor h = tnet_edges_->forward(rows, x, rows.nearest(x, shape_.k));
  h = rows.max(tnet_[0]->forward(h));
  for (size_t k = 1; k < tnet_.size(); ++k) h = tnet_[k]->forward(h);
  return tnet_last_->forward(h).unflatten(1, {3, 3});
}

Tensor DgcnnBody::pooled(const PackedPoints& rows, const Tensor& h) const {
  return shape_.pool == Pool::kMax ? rows.max(h) : rows.mean(h);
}

Tensor DgcnnBody::dropout(const Tensor& h) const {
  constexpr double kDropped = 0.5;
  return torch::dropout(h, kDropped, is_training());
}

Tensor DgcnnBody::forward(const PackedPoints& rows, const Tensor& x) {
  const Tensor points = shape_.tnet ? rows.multiply(x, transforms(rows, x)) : x;
  std::vector<Tensor> levels;
  levels.reserve(edges_.size());
  Tensor h = points;
  for (const auto& layer : edges_) {
    h = layer->forward(rows, h, rows.nearest(h, shape_.k));
    levels.push_back(h);
  }
  const Tensor local = torch::cat(levels, 1);  // [R, 192]
  const Tensor seen = shape_.coordinates ? torch::cat({x, local}, 1) : local;
  const Tensor of_cloud = pooled(rows, global_->forward(seen));  // [M, 1024]
  // The first layer of the head on [of_cloud, local]; the first part once for each cloud.
  const Tensor joined = rows.add(local.mm(head_[0]->columns(kGlobal, local.size(1))),
                                 of_cloud.mm(head_[0]->columns(0, kGlobal)));
  using SecondDropout = Shape::SecondDropout;
  h = head_[1]->forward(dropout(head_[0]->finish(joined)));
  if (shape_.second_dropout == SecondDropout::kBefore128) h = dropout(h);
  h = head_[2]->forward(h);
  if (shape_.second_dropout == SecondDropout::kBehind128) h = dropout(h);
  return torch::tanh(0.5 * last_->forward(h));  // 2 sigmoid - 1
}

}  // namespace equiframe::inline models
