// Mean and covariance of point sets, one set to a lane.
#pragma once

#include "linalg/pca.h"
#include "linalg/point_lanes.h"

namespace equiframe::kernels::inline linalg {
namespace {

template <int kDim>
struct Moments {
  Doubles centre[kDim];
  Doubles covariance[kDim * kDim];
};

/// One pass over the points with y = x - guess. The mean is guess + r, r = sum w y / sum w, and the
/// covariance sum w y y^T - (sum w) r r^T; with Centre::kOrigin r counts as zero. Returns the lanes
/// where r is beyond three standard deviations, so that the difference cancels badly.
template <int kDim, bool kWeighted, class T>
auto moments_about(const Doubles (&guess)[kDim], const SetGroup<T>& group, Centre centring,
                   Moments<kDim>& moments) {
  Doubles weight{}, first[kDim], second[kDim * kDim], origin[kDim];
  for (int i = 0; i < kDim; ++i) {
    origin[i] = guess[i];
    first[i] = Doubles{};
    for (int j = 0; j <= i; ++j) second[i * kDim + j] = Doubles{};
  }
  for_each_point<kDim, kWeighted>(group, [&](auto w, const Doubles(&x)[kDim]) {
    if constexpr (kWeighted) weight += w;
    for (int i = 0; i < kDim; ++i) {
      const Doubles y = w * (x[i] - origin[i]);
      first[i] += y;
      for (int j = 0; j <= i; ++j) second[i * kDim + j] += y * (x[j] - origin[j]);
    }
  });
  if constexpr (!kWeighted) weight += double(group.n);
  const Doubles divisor = centring == Centre::kMean ? weight : Doubles{};
  Doubles lost{}, kept{};
  for (int i = 0; i < kDim; ++i) {
    const Doubles r = divisor == 0 ? Doubles{} : first[i] / divisor;
    moments.centre[i] = origin[i] + r;
    for (int j = 0; j <= i; ++j) {
      const Doubles entry = second[i * kDim + j] - r * first[j];
      moments.covariance[i * kDim + j] = entry;
      moments.covariance[j * kDim + i] = entry;
    }
    lost += r * first[i];
    kept += moments.covariance[i * kDim + i];
  }
  return lost > 9 * kept;
}

/// The first guess is the first point that counts. Lanes where it was poor, being an outlier of
/// little weight, are done again about the mean found; that is right to rounding of the distance,
/// so twice is enough for any.
template <int kDim, bool kWeighted, class T>
[[gnu::flatten]] void moments_of(const SetGroup<T>& group, Centre centring,
                                 Moments<kDim>& moments) {
  Doubles guess[kDim];
  for (int i = 0; i < kDim; ++i) guess[i] = Doubles{};
  if (centring == Centre::kMean) load_first<kDim, kWeighted>(group, guess);
  auto poor = moments_about<kDim, kWeighted>(guess, group, centring, moments);
  for (int repeat = 0; repeat < 2 && any(poor); ++repeat) {
    Moments<kDim> better;
    const auto still = moments_about<kDim, kWeighted>(moments.centre, group, centring, better);
    for (int i = 0; i < kDim; ++i) moments.centre[i] = poor ? better.centre[i] : moments.centre[i];
    for (int i = 0; i < kDim * kDim; ++i) {
      moments.covariance[i] = poor ? better.covariance[i] : moments.covariance[i];
    }
    poor &= still;
  }
}

template <int kDim>
void store(const Moments<kDim>& moments, double* centre, double* covariance) {
  store_records(moments.centre, centre);
  store_records(moments.covariance, covariance);
}

template <int kDim, class T>
void moments(const PointSets<T>& sets, Centre centring, double* centre, double* covariance) {
  constexpr int kEntries = kDim * kDim;
  const auto compute =
      sets.weights == nullptr ? &moments_of<kDim, false, T> : &moments_of<kDim, true, T>;
  for (std::int64_t first = 0; first < sets.count; first += kSets) {
    Moments<kDim> result;
    compute(group_at(sets, first), centring, result);
    const std::int64_t left = sets.count - first;
    if (left >= kSets) {
      store(result, centre + first * kDim, covariance + first * kEntries);
      continue;
    }
    double centres[kDim * kSets], covariances[kEntries * kSets];
    store(result, centres, covariances);
    const auto bytes = std::size_t(left) * sizeof(double);
    std::memcpy(centre + first * kDim, centres, kDim * bytes);
    std::memcpy(covariance + first * kEntries, covariances, kEntries * bytes);
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline linalg
