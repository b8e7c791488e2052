#include "normals/kernels/patch_features.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/symmetric_eigen.h"

namespace equiframe::kernels::inline normals {
namespace {

constexpr auto kScaleCount = static_cast<std::size_t>(kScales);

struct Planes {
  std::array<std::array<double, 3>, kScaleCount> mean, normal;
  std::array<double, kScaleCount> scatter, extent, roundness, radius;
};

/// Moments of growing balls, each the sums of the smaller one and what is new.
template <class T>
Planes fit_planes(std::int64_t count, const T* x) {
  Planes planes{};
  std::array<double, 9> sums{};  // x, y, z, xx, xy, xz, yy, yz, zz
  std::array<double, 9 * kScaleCount> matrices{}, vectors{};
  std::array<double, 3 * kScaleCount> values{};
  std::int64_t done = 0;
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    const std::int64_t end = std::min(count, kPatchScales[s]);
    for (; done < end; ++done) {
      const double a = double(x[3 * done]), b = double(x[3 * done + 1]),
                   c = double(x[3 * done + 2]);
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
    const T* const last = x + 3 * (end - 1);
    planes.radius[s] =
        std::sqrt(double(last[0]) * double(last[0]) + double(last[1]) * double(last[1]) +
                  double(last[2]) * double(last[2]));
  }
  eigh3(kScales, matrices.data(), values.data(), vectors.data());
  constexpr double kLeastExtent = 1e-6;
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    const double* const v = vectors.data() + 9 * s;
    planes.normal[s] = {v[0], v[3], v[6]};
    double l[3];
    for (std::size_t k = 0; k < 3; ++k) l[k] = std::max(0.0, values[3 * s + k]);
    planes.extent[s] = std::max(std::sqrt(l[0] + l[1] + l[2]), kLeastExtent);
    planes.scatter[s] = std::hypot(std::sqrt(l[0]), kFlatness * planes.extent[s]);
    planes.roundness[s] = std::sqrt(l[1]) / std::max(std::sqrt(l[2]), kLeastExtent);
  }
  return planes;
}

double product(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
void describe_patch(const Planes& planes, T* to) {
  constexpr double kLeastShare = 1e-3;
  for (std::size_t s = 0; s < kScaleCount; ++s, to += kScaleFeatures) {
    const double extent = planes.extent[s];
    const double along = product(planes.mean[s], planes.normal[s]);
    const double across =
        std::sqrt(std::max(0.0, product(planes.mean[s], planes.mean[s]) - along * along));
    const double cosine =
        s + 1 < kScaleCount ? product(planes.normal[s], planes.normal[s + 1]) : 1.0;
    to[0] = T(std::log(planes.scatter[s] / extent + kLeastShare));
    to[1] = T(planes.roundness[s]);
    to[2] = T(std::abs(along) / extent);
    to[3] = T(across / extent);
    to[4] = T(std::max(0.0, 1 - cosine * cosine));
    to[5] = T(std::log(planes.radius[s] + kLeastShare));
  }
}

/// Cholesky's lower factor of a symmetric positive matrix, in place.
void factorise(double (&a)[6][6]) {
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < 6; ++i) a[i][j] -= a[i][k] * a[j][k];
    const double root = std::sqrt(std::max(a[j][j], 1e-12));
    for (int i = j; i < 6; ++i) a[i][j] /= root;
  }
}

/// y becomes the solution of L L^T c = y.
void solve(const double (&l)[6][6], double (&y)[6]) {
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) y[i] -= l[k][i] * y[k];
    y[i] /= l[i][i];
  }
}

constexpr double kLeastRidge = 1e-6, kSlopeLimit = 4;

/// The slopes before they are limited.
struct Slopes {
  double s, t, soft;
};
Slopes slopes_of(const double (&c)[6], const JetPlace& place) {
  const double s = -(c[1] + c[3] * place.first + c[4] * place.second);
  const double t = -(c[2] + c[4] * place.first + c[5] * place.second);
  return {s, t, 1 / std::sqrt(1 + (s * s + t * t) / (kSlopeLimit * kSlopeLimit))};
}

}  // namespace

template <class T>
void patch_features(std::int64_t count, const T* x, const PatchFeatures<T>& to) {
  constexpr double kOfExtent = 0.02, kWidth = 1.5, kLeastSquare = 1e-12;
  constexpr T kLeastLength = T(1e-6);
  const Planes planes = fit_planes(count, x);
  describe_patch(planes, to.patch);
  T* const lengths = to.points + 3 * to.channel;
  for (std::int64_t i = 0; i < count; ++i) {
    const T a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2];
    const T length = std::sqrt(a * a + b * b + c * c);
    const T inverse = T(1) / std::max(length, kLeastLength);
    T* const at = to.points + i * to.point;
    at[0] = a * inverse;
    at[to.channel] = b * inverse;
    at[2 * to.channel] = c * inverse;
    lengths[i * to.point] = length;
  }
  for (std::size_t s = 0; s < kScaleCount; ++s) {
    const auto& n = planes.normal[s];
    const T n0 = T(n[0]), n1 = T(n[1]), n2 = T(n[2]);
    const T shift = T(product(n, planes.mean[s]));
    const T scatter = T(planes.scatter[s] + kOfExtent * planes.extent[s]);
    T* const shares = to.points + (4 + static_cast<std::int64_t>(s)) * to.channel;
    T* const window = to.windows + static_cast<std::int64_t>(s) * to.window;
    const T reach = T(1 / std::max(kWidth * planes.radius[s] * planes.radius[s], kLeastSquare));
    for (std::int64_t i = 0; i < count; ++i) {
      const T h = std::abs(n0 * x[3 * i] + n1 * x[3 * i + 1] + n2 * x[3 * i + 2] - shift);
      shares[i * to.point] = h / (h + scatter);
      const T length = lengths[i * to.point];
      const T inside = std::max(T(0), T(1) - length * length * reach);
      window[i] = inside * inside;
    }
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += double(window[i]);
    const T share = T(1 / std::max(sum, kLeastSquare));
    for (std::int64_t i = 0; i < count; ++i) window[i] *= share;
  }
}

template <class T>
void cloud_features(std::int64_t count, const T* patches, T* cloud) {
  constexpr double kTenths[] = {0.2, 0.5, 0.8};
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t s = 0; s < kScales; ++s, cloud += 4) {
    const T* const first = patches + s * kScaleFeatures;
    double sine = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      values[static_cast<std::size_t>(k)] = first[k * kPatchFeatures];
      sine += double(first[k * kPatchFeatures + 4]);
    }
    std::sort(values.begin(), values.end());
    for (int t = 0; t < 3; ++t)
      cloud[t] =
          values[static_cast<std::size_t>(kTenths[t] * static_cast<double>(count - 1) + 0.5)];
    cloud[3] = T(sine / static_cast<double>(count));
  }
}

template <class T>
PatchJet patch_jet(const WeightedHeights<T>& points, const JetPlace& place) {
  PatchJet jet{};
  double right[6] = {}, squares = 0;
  for (std::int64_t i = 0; i < points.count; ++i) {
    const double u = double(points.first[i]), v = double(points.second[i]),
                 w = double(points.weights[i]), h = double(points.height[i]);
    const double basis[6] = {1, u, v, u * u / 2, u * v, v * v / 2};
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c) jet.factor[r][c] += w * basis[r] * basis[c];
      right[r] += w * h * basis[r];
    }
    squares += w * h * h;
  }
  std::copy(right, right + 6, jet.coefficients);
  for (int r = 0; r < 6; ++r) jet.factor[r][r] += kLeastRidge + (r < 3 ? 0 : place.stiffness);
  factorise(jet.factor);
  solve(jet.factor, jet.coefficients);
  for (int r = 0; r < 6; ++r) squares -= right[r] * jet.coefficients[r];
  jet.scatter = std::hypot(std::sqrt(std::max(0.0, squares)), kFlatness);
  const Slopes slopes = slopes_of(jet.coefficients, place);
  jet.slopes[0] = slopes.s * slopes.soft;
  jet.slopes[1] = slopes.t * slopes.soft;
  return jet;
}

/// c = A^-1 sum_i w_i h_i b_i: dc / dw_i = A^-1 b_i (h_i - b_i.c), dc / dstiffness = -A^-1 D c.
template <class T>
double patch_jet_backward(const WeightedHeights<T>& points, const JetPlace& place,
                          const PatchJet& jet, const double* d_slopes, T* d_weights) {
  const Slopes slopes = slopes_of(jet.coefficients, place);
  const double along = (slopes.s * d_slopes[0] + slopes.t * d_slopes[1]) * slopes.soft *
                       slopes.soft / (kSlopeLimit * kSlopeLimit);
  const double ds = slopes.soft * (d_slopes[0] - slopes.s * along);
  const double dt = slopes.soft * (d_slopes[1] - slopes.t * along);
  double d[6] = {
      0, -ds, -dt, -ds * place.first, -ds * place.second - dt * place.first, -dt * place.second};
  solve(jet.factor, d);
  const double* c = jet.coefficients;
  for (std::int64_t i = 0; i < points.count; ++i) {
    const double u = double(points.first[i]), v = double(points.second[i]);
    const double basis[6] = {1, u, v, u * u / 2, u * v, v * v / 2};
    double rest = double(points.height[i]), share = 0;
    for (int r = 0; r < 6; ++r) {
      rest -= basis[r] * c[r];
      share += basis[r] * d[r];
    }
    d_weights[i] = T(share * rest);
  }
  return -(d[3] * c[3] + d[4] * c[4] + d[5] * c[5]);
}

template void patch_features(std::int64_t, const float*, const PatchFeatures<float>&);
template void patch_features(std::int64_t, const double*, const PatchFeatures<double>&);
template void cloud_features(std::int64_t, const float*, float*);
template void cloud_features(std::int64_t, const double*, double*);
template PatchJet patch_jet(const WeightedHeights<float>&, const JetPlace&);
template PatchJet patch_jet(const WeightedHeights<double>&, const JetPlace&);
template double patch_jet_backward(const WeightedHeights<float>&, const JetPlace&, const PatchJet&,
                                   const double*, float*);
template double patch_jet_backward(const WeightedHeights<double>&, const JetPlace&, const PatchJet&,
                                   const double*, double*);

}  // namespace equiframe::kernels::inline normals
