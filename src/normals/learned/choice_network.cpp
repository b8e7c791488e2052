#include "normals/learned/choice_network.h"

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "normals/kernels/choice_features.h"
#include "normals/learned/patch_weights.h"

namespace equiframe::inline normals {
namespace {

/// Weights and biases in turn, the scaling of the features inside the first ones.
std::vector<Tensor> scaled_layers(const Model& model) {
  constexpr double kEpsilon = 1e-5;  // of the scaling
  std::vector<Tensor> layers;
  for (const Tensor& parameter : model.parameters())
    layers.push_back(parameter.detach().to(torch::kFloat64));
  const auto buffers = model.named_buffers();
  const Tensor mean = buffers["scale.running_mean"].to(torch::kFloat64);
  layers[0] = layers[0] * (buffers["scale.running_var"].to(torch::kFloat64) + kEpsilon).rsqrt();
  layers[1] = layers[1] - layers[0].mv(mean);
  for (Tensor& layer : layers) layer = layer.to(torch::kFloat32).contiguous();
  return layers;
}

}  // namespace

ChoiceNetwork::ChoiceNetwork(const Model& model) {
  if (model.named_parameters().find("weigh.layer3.weight") == nullptr)
    throw UserError("the third model is not of the kind 'normal-choice', which chooses normals");
  parameters_ = scaled_layers(model);
  for (size_t k = 0; k < parameters_.size(); k += 2)
    layers_.push_back(patch_weights::layer<float>(parameters_.data() + k));
}

std::vector<float> ChoiceNetwork::choose(int64_t count, const float* rows) const {
  std::vector<float> features(static_cast<size_t>(count * kernels::kChoiceFeatures)),
      logits(static_cast<size_t>(count * kernels::kCandidates)),
      normals(static_cast<size_t>(3 * count));
  for (int64_t b = 0; b < count; ++b)
    kernels::choice_features<float>(rows + kernels::kChoiceChannels * b,
                                    features.data() + kernels::kChoiceFeatures * b);
  kernels::perceptron_forward<float>(count, layers_, features.data(), logits.data(), nullptr);
  for (int64_t b = 0; b < count; ++b)
    kernels::choose_normal<float>(rows + kernels::kChoiceChannels * b,
                                  logits.data() + kernels::kCandidates * b, normals.data() + 3 * b);
  return normals;
}

}  // namespace equiframe::inline normals
