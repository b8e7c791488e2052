#include "nn/clouds/transform_net.h"

#include <torch/types.h>

namespace equiframe::inline nn {

TransformNet::TransformNet(int64_t channels) : channels_(channels) {
  const auto add = [this](const char* name, std::initializer_list<int64_t> widths) {
    std::vector<std::shared_ptr<NormLinear>> layers;
    layers.reserve(widths.size());
    for (const auto* in = widths.begin(); in + 1 != widths.end(); ++in)
      layers.push_back(register_module(c10::str(name, layers.size() + 1),
                                       std::make_shared<NormLinear>(in[0], in[1], slope::kRelu)));
    return layers;
  };
  of_points_ = add("points", {channels, 64, 128, 1024});
  of_clouds_ = add("clouds", {1024, 512, 256});
  last_ = register_module("last", torch::nn::Linear(256, channels * channels));
}

Tensor TransformNet::forward(const PackedPoints& rows, const Tensor& x) {
  Tensor h = x;
  for (const auto& layer : of_points_) h = layer->forward(h);
  h = rows.max(h);
  for (const auto& layer : of_clouds_) h = layer->forward(h);
  return last_->forward(h).unflatten(1, {channels_, channels_}) +
         torch::eye(channels_, x.options());
}

Tensor orthogonality(const Tensor& transforms) {
  const Tensor identity = torch::eye(transforms.size(1), transforms.options());
  const Tensor error = transforms.bmm(transforms.transpose(1, 2)) - identity;
  return error.square().sum({1, 2}).mean();
}

Tensor published_orthogonality(const Tensor& transforms) {
  const Tensor identity = torch::eye(transforms.size(1), transforms.options());
  return transforms.bmm(transforms.transpose(1, 2) - identity).norm(2, {1, 2}).mean();
}

}  // namespace equiframe::inline nn
