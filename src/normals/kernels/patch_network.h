#pragma once

#include <cstdint>
#include <vector>

#include "nn/kernels/perceptron.h"
#include "simd/table.h"

/// The network `fa-patch` on one patch after the other, with all that it does between its layers:
/// the same numbers as the model gives in `eval()`, without a tensor in between. The flips of a
/// frame share the part of the first layer that they cannot change. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// A perceptron of two layers for each point, its maxima and means over the patch through another
/// one, and, for all stages but the last, a score of each point from both.
template <class T>
struct PatchStage {
  DenseLayer<T> own[2];
  DenseLayer<T> pooled[2];
  DenseLayer<T> score{nullptr, nullptr};  ///< [1, width]
};

/// Choice of a scale from the patch's own numbers, weights, and a normal.
template <class T>
struct PatchNetwork {
  /// To a logit for each of kPatchScales, and the logarithm of the curved surface's stiffness.
  DenseLayer<T> scales[2];
  std::vector<PatchStage<T>> stages;  ///< that weigh points
  /// What is added to the slopes of the curved surface through the weighted points.
  PatchStage<T> normal;
};

/// Elements of the frame of a patch: the sign changes of its axes that keep it right-handed.
inline constexpr std::int64_t kPatchFlips = 4;

struct PatchNormal {
  double normal[3];    ///< unit; along z if all points of the patch are one
  double agreement;    ///< of the frame's elements: the largest eigenvalue of the mean of n n^T, in
                       ///< 1/3..1
  double variance[3];  ///< of the weighted patch along its axes, ascending; its radius is 1
};

/// `offsets` [patches, count, 3] from the query to its neighbours, nearest first; `cloud`
/// [kCloudFeatures] of the cloud they all come from, see patch_features.h.
template <class T>
void patch_normals(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                   const double* offsets, const T* cloud, PatchNormal* normals);

/// The numbers of patches that `cloud_features` takes, [patches, kPatchFeatures].
template <class T>
void patch_numbers(std::int64_t patches, std::int64_t count, const double* offsets, T* numbers);

/// Patches of a training step, each with one element of the frame for every stage.
template <class T>
struct PatchSample {
  std::int64_t patches, count;
  const T* x;                 ///< [patches, count, 3], nearest first
  const std::uint8_t* flips;  ///< [patches, stages + 1], each below kPatchFlips
  const T* clouds;            ///< [patches, kCloudFeatures] of the cloud of each
};

template <class T>
struct PatchStageGradient {
  DenseLayerGradient<T> own[2];
  DenseLayerGradient<T> pooled[2];
  DenseLayerGradient<T> score{nullptr, nullptr};
};

/// Is added to.
template <class T>
struct PatchGradients {
  DenseLayerGradient<T> scales[2];
  std::vector<PatchStageGradient<T>> stages;
  PatchStageGradient<T> normal;
};

/// normals [patches, 3] of one element each, unit.
template <class T>
void patch_forward(const PatchNetwork<T>& network, const PatchSample<T>& sample, T* normals);

/// d_normals [patches, 3] -> the gradients of all weights. Frames, and what a stage is told about
/// the weights before it, are taken as they are; that the normal turns with the weighted plane is
/// counted, to first order. The scores' bias changes nothing and has no gradient.
template <class T>
void patch_backward(const PatchNetwork<T>& network, const PatchSample<T>& sample,
                    const T* d_normals, const PatchGradients<T>& gradients);

template <class T>
struct PatchNormalFunctions {
  decltype(&patch_normals<T>) normals;
};
using PatchNormalKernels = BothPrecisions<PatchNormalFunctions>;

template <class T>
struct PatchTrainingFunctions {
  decltype(&patch_forward<T>) forward;
  decltype(&patch_backward<T>) backward;
};
using PatchTrainingKernels = BothPrecisions<PatchTrainingFunctions>;

}  // namespace equiframe::kernels::inline normals
