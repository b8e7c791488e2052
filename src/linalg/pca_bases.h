// All sign choices of a basis.
#pragma once

#include <cstdint>

#include "linalg/pca.h"

namespace equiframe::kernels::inline linalg {
namespace {

template <int kDim>
double determinant(const double* a) {
  if constexpr (kDim == 2) {
    return a[0] * a[3] - a[1] * a[2];
  } else {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) + a[1] * (a[5] * a[6] - a[3] * a[8]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
  }
}

/// Factors of a right-handed (kRightOnly) or any (kBoth) basis, [2^d, d, d].
template <int kDim, class T>
struct SignTable {
  T sign[1 << kDim][kDim * kDim];
};

template <int kDim, class T>
constexpr SignTable<kDim, T> sign_table(Handedness handedness) {
  SignTable<kDim, T> table{};
  for (int k = 0; k < 1 << kDim; ++k) {
    bool odd = false;
    for (int j = 0; j < kDim; ++j) {
      const bool last = handedness == Handedness::kRightOnly && j == kDim - 1;
      const bool negative = last ? odd : ((k >> j) & 1) != 0;
      odd = odd != negative;
      for (int i = 0; i < kDim; ++i) table.sign[k][i * kDim + j] = negative ? T{-1} : T{1};
    }
  }
  return table;
}

template <int kDim, class T>
void signed_bases_of(std::int64_t count, const double* axes, Handedness handedness, T* bases) {
  static constexpr SignTable<kDim, T> kTables[] = {sign_table<kDim, T>(Handedness::kBoth),
                                                   sign_table<kDim, T>(Handedness::kRightOnly)};
  constexpr int kEntries = kDim * kDim;
  const bool right_only = handedness == Handedness::kRightOnly;
  const int choices = right_only ? 1 << (kDim - 1) : 1 << kDim;
  const auto& sign = kTables[right_only].sign;
  for (std::int64_t item = 0; item < count; ++item, axes += kEntries) {
    T basis[kEntries];
    for (int e = 0; e < kEntries; ++e) basis[e] = T(axes[e]);
    if (right_only && determinant<kDim>(axes) < 0) {
      for (int i = 0; i < kDim; ++i) basis[i * kDim + kDim - 1] = -basis[i * kDim + kDim - 1];
    }
    for (int k = 0; k < choices; ++k, bases += kEntries) {
      for (int e = 0; e < kEntries; ++e) bases[e] = basis[e] * sign[k][e];
    }
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline linalg
