#include "equiframe/kernels/patch_features.h"

#include <algorithm>
#include <cmath>

#include "equiframe/kernels/symmetric_eigen.h"

namespace equiframe::kernels {
namespace {

constexpr std::size_t kScales = kPatchScales.size();

struct Planes {
  std::array<std::array<double, 3>, kScales> mean, normal;
  std::array<double, kScales> scatter, extent;
};

/// Moments of growing balls, each the sums of the smaller one and what is new.
template <class T>
Planes fit_planes(std::int64_t count, const T* x) {
  Planes planes{};
  std::array<double, 9> sums{};  // x, y, z, xx, xy, xz, yy, yz, zz
  std::array<double, 9 * kScales> matrices{}, vectors{};
  std::array<double, 3 * kScales> values{};
  std::int64_t done = 0;
  for (std::size_t s = 0; s < kScales; ++s) {
    const std::int64_t end = std::min(count, kPatchScales[s]);
    for (; done < end; ++done) {
      const double a = x[3 * done], b = x[3 * done + 1], c = x[3 * done + 2];
      sums[0] += a, sums[1] += b, sums[2] += c;
      sums[3] += a * a, sums[4] += a * b, sums[5] += a * c;
      sums[6] += b * b, sums[7] += b * c, sums[8] += c * c;
    }
    const double share = 1 / static_cast<double>(std::max<std::int64_t>(1, end));
    auto& m = planes.mean[s];
    m = {sums[0] * share, sums[1] * share, sums[2] * share};
    double* const matrix = matrices.data() + 9 * s;
    matrix[0] = sums[3] * share - m[0] * m[0];
    matrix[3] = sums[4] * share - m[0] * m[1];
    matrix[4] = sums[6] * share - m[1] * m[1];
    matrix[6] = sums[5] * share - m[0] * m[2];
    matrix[7] = sums[7] * share - m[1] * m[2];
    matrix[8] = sums[8] * share - m[2] * m[2];
  }
  eigh3(kScales, matrices.data(), values.data(), vectors.data());
  for (std::size_t s = 0; s < kScales; ++s) {
    const double* const v = vectors.data() + 9 * s;
    planes.normal[s] = {v[0], v[3], v[6]};
    const double* const l = values.data() + 3 * s;
    planes.scatter[s] = std::sqrt(std::max(0.0, l[0]));
    planes.extent[s] = std::sqrt(std::max(0.0, l[0]) + std::max(0.0, l[1]) + std::max(0.0, l[2]));
  }
  return planes;
}

}  // namespace

template <class T>
void patch_features(std::int64_t count, const T* x, const PatchFeatures<T>& to) {
  constexpr double kLeastExtent = 1e-6, kLeastShare = 1e-3, kOfExtent = 0.02;
  constexpr T kLeastLength = T(1e-6);
  const Planes planes = fit_planes(count, x);
  T* const points = to.points;
  const std::int64_t point = to.point;
  for (std::int64_t i = 0; i < count; ++i) {
    const T a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
    const T length = std::sqrt(a * a + b * b + c * c);
    const T inverse = T(1) / std::max(length, kLeastLength);
    T* const at = points + i * point;
    at[0] = a * inverse;
    at[to.channel] = b * inverse;
    at[2 * to.channel] = c * inverse;
    at[3 * to.channel] = length;
    at[4 * to.channel] = std::sqrt(length);
  }
  for (std::size_t s = 0; s < kScales; ++s) {
    const auto& n = planes.normal[s];
    const auto& m = planes.mean[s];
    const T n0 = T(n[0]), n1 = T(n[1]), n2 = T(n[2]);
    const T shift = T(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]);
    const double extent = std::max(planes.extent[s], kLeastExtent);
    const T scatter = T(planes.scatter[s] + kOfExtent * extent);
    T* const heights = points + (5 + 2 * static_cast<std::int64_t>(s)) * to.channel;
    T* const shares = heights + to.channel;
    for (std::int64_t i = 0; i < count; ++i) {
      const T h = std::abs(n0 * x[3 * i] + n1 * x[3 * i + 1] + n2 * x[3 * i + 2] - shift);
      heights[i * point] = h;
      shares[i * point] = h / (h + scatter);
    }
    to.patch[2 * s] = T(std::log(planes.scatter[s] / extent + kLeastShare));
    to.patch[2 * s + 1] = T(extent);
  }
}

template void patch_features(std::int64_t, const float*, const PatchFeatures<float>&);
template void patch_features(std::int64_t, const double*, const PatchFeatures<double>&);

}  // namespace equiframe::kernels
