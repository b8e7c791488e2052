// What the stages of kernels/patch_network.h work on: the layout of their input, their weights as
// the products want them, and planes through weighted points.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "linalg/symmetric_eigen.h"
#include "nn/kernels/one_row.h"
#include "normals/kernels/patch_features.h"
#include "normals/kernels/patch_network.h"
#include "simd/pack.h"

namespace equiframe::kernels::inline normals {
namespace {

/// Channels of a stage's input, in the order of the first layer's weights: the place in the frame
/// (from the centre, from the query, and as a direction), scalars of the point, numbers of the
/// patch.
enum PatchInput : std::int64_t {
  kFixedInput = 9,
  kReachInput = kFixedInput + kPointFeatures - 3,
  kHeightInput,
  kShareInput,
  kLogitInput,
  kWeightInput,
  kWholeInput,
  kPatchInputs = kWholeInput + kPatchFeatures + kCloudFeatures + 6
};
constexpr std::int64_t kScalarInputs = kWholeInput - kFixedInput;
constexpr std::int64_t kWholeInputs = kPatchInputs - kWholeInput;
/// What the last stage is told beside what it pools: slopes of the jet, their size, its scatter.
constexpr std::int64_t kJetInputs = 4;

using Flip = std::array<int, 3>;
/// The four sign changes that keep a frame right-handed.
constexpr std::array<Flip, kPatchFlips> kFlips{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

struct WeightedPlane {
  double mean[3], values[3];
  double axes[9];  ///< columns, right-handed; the first is the normal
};

/// What a stage is given and what it makes of it, until the next patch.
template <class T>
struct PatchSlot {
  Rows<T> scalars;   // [kScalarInputs, count]
  Rows<T> along[3];  // [3, count]: centred, from the query and as a direction, along one axis
  Rows<T> hidden;    // [width, count], after the first layer; of one flip, if it is kept
  Rows<T> own;       // [width, flips count], after the second one: a panel's flips side by side
  std::array<T, static_cast<std::size_t>(kWholeInputs)> whole{};
  Numbers<T> pooled;            // [flips, 2 width + kJetInputs]: largest and sum over points
  Numbers<T> between, context;  // [width], [width], of the last flip
};

/// Weights of a stage as the products want them.
template <class T>
struct PackedStage {
  Rows<T> scalars;   // [width, kScalarInputs]
  Rows<T> along[3];  // [width, 3]
  Rows<T> own;       // [width, width]
  const PatchStage<T>* raw = nullptr;
};

/// Of points `places` [3, count] with weights `w`, in two passes in float64: the mean, then the
/// moments about it.
template <class T>
WeightedPlane fit_weighted(std::int64_t count, Rows<T> places, const T* w) {
  WeightedPlane plane{};
  const T *x = places.at(0), *y = places.at(1), *z = places.at(2);
  double sum = 0, mean[3] = {0, 0, 0};
  for (std::int64_t i = 0; i < count; ++i) {
    const double weight = double(w[i]);
    sum += weight;
    mean[0] += weight * double(x[i]), mean[1] += weight * double(y[i]);
    mean[2] += weight * double(z[i]);
  }
  for (int c = 0; c < 3; ++c) plane.mean[c] = mean[c] / sum;
  double m[9] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    const double weight = double(w[i]), a = double(x[i]) - plane.mean[0],
                 b = double(y[i]) - plane.mean[1], c = double(z[i]) - plane.mean[2];
    m[0] += weight * a * a, m[3] += weight * a * b, m[4] += weight * b * b;
    m[6] += weight * a * c, m[7] += weight * b * c, m[8] += weight * c * c;
  }
  for (double& value : m) value /= sum;
  eigh3(1, m, plane.values, plane.axes);
  double* v = plane.axes;
  const double handed = v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) +
                        v[2] * (v[3] * v[7] - v[4] * v[6]);
  if (handed < 0) v[2] = -v[2], v[5] = -v[5], v[8] = -v[8];
  return plane;
}

}  // namespace
}  // namespace equiframe::kernels::inline normals
