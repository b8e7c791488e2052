// Points of several sets at once: lane k holds a point of set k.
#pragma once

#include "linalg/pca.h"
#include "simd/lanes_io.h"

namespace equiframe::kernels::inline linalg {
namespace {

using Doubles = Lanes<double>;
constexpr int kSets = kWidth<double>;  // point sets that are worked on together

template <class T>
struct SetGroup {
  const T* points[kSets];
  const T* weights[kSets];
  std::int64_t n, stride;
  std::int64_t padded;  // from the first so many points, four numbers may be read
};

/// The group that starts at set `first`; lanes behind the last set repeat it.
template <class T>
SetGroup<T> group_at(const PointSets<T>& sets, std::int64_t first) {
  const bool more_behind = sets.stride >= 4 || first + kSets < sets.count;
  SetGroup<T> group{{}, {}, sets.n, sets.stride, more_behind ? sets.n : sets.n - 1};
  for (int k = 0; k < kSets; ++k) {
    const std::int64_t item = first + k < sets.count ? first + k : sets.count - 1;
    group.points[k] = sets.points + item * sets.n * sets.stride;
    group.weights[k] = sets.weights == nullptr ? nullptr : sets.weights + item * sets.n;
  }
  return group;
}

/// x[j] = coordinate j of the points at `offset`. With kPadded, four numbers may be read there.
template <bool kPadded, int kDim, class T>
void load_coordinates(const SetGroup<T>& group, std::int64_t offset, Doubles (&x)[kDim]) {
  if constexpr (kPadded && kDim == 3 && sizeof(T) == 4 && kSets >= 4) {
    using Floats = typename VectorOf<float, kLaneBytes / 2>::type;
    Floats rows[4];
    for (int i = 0; i < 4; ++i) {
      rows[i] = load_pieces<Floats>([&](int q) { return group.points[4 * q + i] + offset; });
    }
    transpose(rows);
    for (int j = 0; j < kDim; ++j) x[j] = to_double(rows[j]);
  } else {
    for (int j = 0; j < kDim; ++j) {
      x[j] = lanes_from<Doubles>([&](int k) { return double(group.points[k][offset + j]); });
    }
  }
}

/// The first point of each set that is not masked; zero if there is none.
template <int kDim, bool kWeighted, class T>
void load_first(const SetGroup<T>& group, Doubles (&x)[kDim]) {
  if constexpr (kWeighted) {
    for (int k = 0; k < kSets; ++k) {
      std::int64_t i = 0;
      while (i < group.n && group.weights[k][i] == 0) ++i;
      for (int j = 0; j < kDim; ++j) {
        x[j][k] = i < group.n ? double(group.points[k][i * group.stride + j]) : 0;
      }
    }
  } else if (group.padded > 0) {
    load_coordinates<true>(group, 0, x);
  } else if (group.n > 0) {
    load_coordinates<false>(group, 0, x);
  }
}

/// visit(w, x) for every point, w its weight and x its coordinates; a masked point is zero.
template <int kDim, bool kWeighted, class T, class Visitor>
void for_each_point(const SetGroup<T>& group, const Visitor& visit) {
  const auto point = [&]<bool kPadded>(std::int64_t i, std::bool_constant<kPadded>) {
    Doubles x[kDim];
    load_coordinates<kPadded>(group, i * group.stride, x);
    if constexpr (kWeighted) {
      const auto w = lanes_from<Doubles>([&](int k) { return double(group.weights[k][i]); });
      for (int j = 0; j < kDim; ++j) x[j] = w == 0 ? Doubles{} : x[j];
      visit(w, x);
    } else {
      visit(1, x);
    }
  };
  std::int64_t i = 0;
  for (; i < group.padded; ++i) point(i, std::true_type{});
  for (; i < group.n; ++i) point(i, std::false_type{});
}

/// Whether a comparison held in some lane.
template <class Mask>
bool any(Mask mask) {
  bool found = false;
  for (int k = 0; k < kSets; ++k) found |= mask[k] != 0;
  return found;
}

}  // namespace
}  // namespace equiframe::kernels::inline linalg
