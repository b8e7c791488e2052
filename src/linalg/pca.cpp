#include "linalg/pca.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "linalg/symmetric_eigen.h"
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

template <class T>
constexpr PcaFunctions<T> kPca{&moments<2, T>, &moments<3, T>, &signed_bases_of<2, T>,
                               &signed_bases_of<3, T>};

}  // namespace
}  // namespace equiframe::kernels::inline linalg

EQUIFRAME_KERNELS(PcaKernels, {kPca<float>, kPca<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline linalg {
namespace {

constexpr std::int64_t kChunk = 64;  // sets whose covariances and axes stay in the first cache

void check_dimension(std::int64_t dim) {
  if (dim == 2 || dim == 3) return;
  throw std::invalid_argument("PCA kernels: dim must be 2 or 3, got " + std::to_string(dim));
}

template <class T>
void check(const PointSets<T>& sets) {
  check_dimension(sets.dim);
  if (sets.stride >= sets.dim && sets.count >= 0 && sets.n >= 0) return;
  throw std::invalid_argument("PCA kernels: need count >= 0, n >= 0 and stride >= dim, got count " +
                              std::to_string(sets.count) + ", n " + std::to_string(sets.n) +
                              ", stride " + std::to_string(sets.stride) + ", dim " +
                              std::to_string(sets.dim));
}

/// Sets [first, first + count) of `sets`.
template <class T>
PointSets<T> part(PointSets<T> sets, std::int64_t first, std::int64_t count) {
  sets.points += first * sets.n * sets.stride;
  if (sets.weights != nullptr) sets.weights += first * sets.n;
  sets.count = count;
  return sets;
}

template <class U>
void copy_if_wanted(const U* source, std::int64_t count, U* target) {
  if (target != nullptr) std::copy_n(source, count, target);
}

}  // namespace

template <class T>
void centred_moments(const PointSets<T>& sets, Centre centring, double* centre,
                     double* covariance) {
  check(sets);
  const PcaFunctions<T>& pca = Table<PcaKernels>::chosen().of<T>();
  (sets.dim == 2 ? pca.moments2 : pca.moments3)(sets, centring, centre, covariance);
}

std::int64_t sign_choices(std::int64_t dim, Handedness handedness) {
  return std::int64_t{1} << (handedness == Handedness::kBoth ? dim : dim - 1);
}

template <class T>
void signed_bases(std::int64_t count, std::int64_t dim, const double* axes, Handedness handedness,
                  T* bases) {
  check_dimension(dim);
  const PcaFunctions<T>& pca = Table<PcaKernels>::chosen().of<T>();
  (dim == 2 ? pca.bases2 : pca.bases3)(count, axes, handedness, bases);
}

template <class T>
void pca_frames(const PointSets<T>& sets, Centre centring, Handedness handedness,
                const PcaFrames<T>& frames) {
  check(sets);
  const bool plane = sets.dim == 2;
  const std::int64_t d = sets.dim;
  const std::int64_t per_set = sign_choices(d, handedness) * d * d;
  const PcaFunctions<T>& pca = Table<PcaKernels>::chosen().of<T>();
  const EigenFunctions<double>& eigen = Table<EigenKernels>::chosen().f64;
  const auto moments = plane ? pca.moments2 : pca.moments3;
  const auto eigh = plane ? eigen.eigh2 : eigen.eigh3;
  const auto bases = plane ? pca.bases2 : pca.bases3;
  double centre[kChunk * 3], covariance[kChunk * 9], values[kChunk * 3], axes[kChunk * 9];
  for (std::int64_t first = 0; first < sets.count; first += kChunk) {
    const std::int64_t count = std::min(kChunk, sets.count - first);
    const auto at = [first](auto* base, std::int64_t size) {
      return base == nullptr ? nullptr : base + first * size;
    };
    moments(part(sets, first, count), centring, centre, covariance);
    eigh(count, covariance, values, axes);
    if (frames.bases != nullptr) bases(count, axes, handedness, at(frames.bases, per_set));
    copy_if_wanted(centre, count * d, at(frames.centre, d));
    copy_if_wanted(values, count * d, at(frames.values, d));
    copy_if_wanted(axes, count * d * d, at(frames.axes, d * d));
  }
}

template void centred_moments(const PointSets<float>&, Centre, double*, double*);
template void centred_moments(const PointSets<double>&, Centre, double*, double*);
template void signed_bases(std::int64_t, std::int64_t, const double*, Handedness, float*);
template void signed_bases(std::int64_t, std::int64_t, const double*, Handedness, double*);
template void pca_frames(const PointSets<float>&, Centre, Handedness, const PcaFrames<float>&);
template void pca_frames(const PointSets<double>&, Centre, Handedness, const PcaFrames<double>&);

}  // namespace equiframe::kernels::inline linalg
#endif
