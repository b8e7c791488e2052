#pragma once

#include <cstdint>

#include "normals/kernels/patch_features.h"
#include "normals/kernels/scale_surfaces.h"
#include "normals/kernels/vote_features.h"

/// What the network `normal-choice` sees of one point. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline normals {

/// Normals to choose among: that of the patch, that of the votes, those of the surfaces.
inline constexpr std::int64_t kCandidates = 2 + kSurfaceScales;
/// Of a cloud, from surfaces through the neighbourhoods of many of its points: the median scatter
/// of the smallest and the bend of the largest, and for each scale but the smallest how much more
/// scatter it has and how far its normals are from those of the scale before. They tell a smooth
/// cloud from one that looks smooth at one point.
inline constexpr std::int64_t kSmoothnessNumbers = 2 + 2 * (kSurfaceScales - 1);
/// `surfaces` [count] -> `numbers` [kSmoothnessNumbers].
void smoothness_numbers(std::int64_t count, const ScaleSurfaces* surfaces, float* numbers);

/// Invariant numbers beside them: the told ones of the point, those of the surfaces, both kinds of
/// the cloud.
inline constexpr std::int64_t kChoiceNumbers =
    kToldNumbers + kSurfaceScales * kSurfaceNumbers + kCloudFeatures + kSmoothnessNumbers;
inline constexpr std::int64_t kChoiceChannels = 3 * kCandidates + kChoiceNumbers;
/// The logarithm of the squared sine between each two candidates, and the numbers.
inline constexpr std::int64_t kChoiceFeatures =
    kCandidates * (kCandidates - 1) / 2 + kChoiceNumbers;

/// `row` [kChoiceChannels]: candidates, then numbers -> `features` [kChoiceFeatures], which no
/// motion and no sign of a candidate changes.
template <class T>
void choice_features(const T* row, T* features);

/// The leading axis of sum_c softmax(logits)_c n_c n_c^T over the candidates of a row: unit, of any
/// sign.
template <class T>
void choose_normal(const T* row, const T* logits, T* normal);

}  // namespace equiframe::kernels::inline normals
