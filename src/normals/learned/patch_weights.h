// The parameters of the model fa-patch as kernels/patch_network.h takes them.
#pragma once

#include <vector>

#include "equiframe/core/tensor.h"
#include "normals/kernels/patch_network.h"

namespace equiframe::inline normals {

/// Tensors in the order the modules register them: two layers that choose a scale; for each stage
/// two layers of points, two of the whole patch, and, but for the last one, the scores; each a
/// weight and a bias.
inline constexpr size_t kScaleTensors = 4, kStageTensors = 10, kNormalTensors = 8;

namespace patch_weights {

template <class T>
kernels::DenseLayer<T> layer(const Tensor* at) {
  return {at[0].data_ptr<T>(), at[1].data_ptr<T>(), at[0].size(1), at[0].size(0),
          kernels::Between::kRelu};
}

template <class T>
kernels::PatchStage<T> stage(const Tensor* at, bool scores) {
  kernels::PatchStage<T> result{{layer<T>(at), layer<T>(at + 2)},
                                {layer<T>(at + 4), layer<T>(at + 6)}};
  if (scores) result.score = layer<T>(at + 8);
  return result;
}

template <class T>
kernels::PatchStageGradient<T> gradient(const Tensor* at, int64_t chunk, bool scores) {
  const auto of = [&](size_t k) {
    return kernels::DenseLayerGradient<T>{at[k][chunk].template data_ptr<T>(),
                                          at[k + 1][chunk].template data_ptr<T>()};
  };
  kernels::PatchStageGradient<T> result{{of(0), of(2)}, {of(4), of(6)}};
  if (scores) result.score = of(8);
  return result;
}

}  // namespace patch_weights

inline size_t stage_count(const std::vector<Tensor>& parameters) {
  return (parameters.size() - kScaleTensors - kNormalTensors) / kStageTensors;
}

/// Views of `parameters`, which must be contiguous and outlive it.
template <class T>
kernels::PatchNetwork<T> patch_network(const std::vector<Tensor>& parameters) {
  const Tensor* at = parameters.data();
  kernels::PatchNetwork<T> network{
      {patch_weights::layer<T>(at), patch_weights::layer<T>(at + 2)}, {}, {}};
  at += kScaleTensors;
  for (size_t k = 0; k < stage_count(parameters); ++k, at += kStageTensors)
    network.stages.push_back(patch_weights::stage<T>(at, true));
  network.normal = patch_weights::stage<T>(at, false);
  return network;
}

/// The same for gradients [chunks, ...] of one chunk.
template <class T>
kernels::PatchGradients<T> patch_gradients(const std::vector<Tensor>& gradients, int64_t chunk) {
  const Tensor* at = gradients.data();
  const auto of = [&](size_t k) {
    return kernels::DenseLayerGradient<T>{at[k][chunk].template data_ptr<T>(),
                                          at[k + 1][chunk].template data_ptr<T>()};
  };
  kernels::PatchGradients<T> result{{of(0), of(2)}, {}, {}};
  at += kScaleTensors;
  for (size_t k = 0; k < stage_count(gradients); ++k, at += kStageTensors)
    result.stages.push_back(patch_weights::gradient<T>(at, chunk, true));
  result.normal = patch_weights::gradient<T>(at, chunk, false);
  return result;
}

}  // namespace equiframe::inline normals
