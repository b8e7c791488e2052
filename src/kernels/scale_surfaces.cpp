#include "equiframe/kernels/scale_surfaces.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace equiframe::kernels {
namespace {

constexpr std::size_t kTerms = 6;  // 1, a, b, a^2, ab, b^2
/// Powers of a and b in each.
constexpr std::array<std::array<std::size_t, 2>, kTerms> kPowers{
    {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}}};

/// Place of a^p b^q among the moments of degree 4 and less.
constexpr std::size_t moment(std::size_t p, std::size_t q) {
  return (p + q) * (p + q + 1) / 2 + q;
}

/// Sums over points with height h: moments, h times those of degree 2 and less, h^2.
struct Sums {
  static constexpr std::size_t kRight = moment(0, 4) + 1, kSquares = kRight + kTerms;
  static constexpr std::size_t kSize = 24;  // padded
  double count = 0;
  std::array<double, kSize> of{};

  void add_point(double a, double b, double h) {
    const double aa = a * a, ab = a * b, bb = b * b;
    const std::array<double, kSize> row{
        1,       a,       b,       aa,      ab, bb,    aa * a, aa * b, a * bb, bb * b, aa * aa,
        aa * ab, aa * bb, ab * bb, bb * bb, h,  h * a, h * b,  h * aa, h * ab, h * bb, h * h};
    for (std::size_t i = 0; i < kSize; ++i) of[i] += row[i];
    count += 1;
  }
  void add(const Sums& other) {
    count += other.count;
    for (std::size_t i = 0; i < kSize; ++i) of[i] += other.of[i];
  }

  /// Of the normal equations.
  double entry(std::size_t i, std::size_t j) const {
    return of[moment(kPowers[i][0] + kPowers[j][0], kPowers[i][1] + kPowers[j][1])];
  }
  double right(std::size_t i) const { return of[kRight + i]; }
  double squares() const { return of[kSquares]; }
};

/// Coefficients by Cholesky's decomposition; false if the terms are not told apart.
bool solve(const Sums& sums, std::array<double, kTerms>& x) {
  constexpr double kLeastPivot = 1e-8, kLeastCount = 8;
  if (sums.count < kLeastCount) return false;
  std::array<std::array<double, kTerms>, kTerms> lower{};
  for (std::size_t i = 0; i < kTerms; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = sums.entry(i, j);
      for (std::size_t m = 0; m < j; ++m) sum -= lower[i][m] * lower[j][m];
      if (i == j && !(sum > kLeastPivot * sums.entry(i, i))) return false;
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
  for (std::size_t i = 0; i < kTerms; ++i) {
    x[i] = sums.right(i);
    for (std::size_t m = 0; m < i; ++m) x[i] -= lower[i][m] * x[m];
    x[i] /= lower[i][i];
  }
  for (std::size_t i = kTerms; i-- > 0;) {
    for (std::size_t m = i + 1; m < kTerms; ++m) x[i] -= lower[m][i] * x[m];
    x[i] /= lower[i][i];
  }
  return true;
}

/// Two axes across a unit vector.
struct Across {
  std::array<double, 3> first, second;
  explicit Across(const double* n) {
    int least = 0;
    for (int c = 1; c < 3; ++c)
      if (std::abs(n[c]) < std::abs(n[least])) least = c;
    const auto axis = static_cast<std::size_t>(least);
    for (std::size_t c = 0; c < 3; ++c) first[c] = (c == axis ? 1 : 0) - n[axis] * n[c];
    const double length =
        std::sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    for (double& value : first) value /= length;
    second = {n[1] * first[2] - n[2] * first[1], n[2] * first[0] - n[0] * first[2],
              n[0] * first[1] - n[1] * first[0]};
  }
};

double squared_length(const double* x) {
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/// The sums of rings between one radius and the next, lengths over the largest radius.
std::array<Sums, kSurfaceScales> ring_sums(std::int64_t count, const double* offsets,
                                           const double* n, double radius) {
  const Across axes(n);
  const double scale = 1 / radius;
  std::array<Sums, kSurfaceScales> rings;
  for (std::int64_t k = 0; k < count; ++k) {
    const double* at = offsets + 3 * k;
    const double x = scale * at[0], y = scale * at[1], z = scale * at[2];
    const double a = axes.first[0] * x + axes.first[1] * y + axes.first[2] * z;
    const double b = axes.second[0] * x + axes.second[1] * y + axes.second[2] * z;
    const double height = n[0] * x + n[1] * y + n[2] * z;
    double reach = x * x + y * y + z * z;
    std::size_t ring = kSurfaceScales - 1;
    for (; ring > 0 && reach <= 0.5; --ring) reach *= 2;
    rings[ring].add_point(a, b, height);
  }
  return rings;
}

/// A neighbourhood within the largest one, lengths over the largest radius.
struct Scale {
  double share;    // of its points on an even surface, and of its squared radius
  double even;     // so many points
  double spacing;  // of points
};

void put_surface(const Sums& sums, const Scale& scale, const double* n, double* normal,
                 double* numbers) {
  constexpr double kLeastScatter = 1e-3, kLeastCurvature = 1e-2;
  std::copy_n(n, 3, normal);
  std::fill_n(numbers, kSurfaceNumbers, 0.0);
  std::array<double, kTerms> c{};
  if (!solve(sums, c)) return;
  const Across axes(n);
  const double length = std::sqrt(1 + c[1] * c[1] + c[2] * c[2]);
  for (std::size_t i = 0; i < 3; ++i)
    normal[i] = (n[i] - c[1] * axes.first[i] - c[2] * axes.second[i]) / length;
  double left = sums.squares();
  for (std::size_t i = 0; i < kTerms; ++i) left -= c[i] * sums.right(i);
  const double curvature = std::sqrt(4 * c[3] * c[3] + 2 * c[4] * c[4] + 4 * c[5] * c[5]);
  numbers[0] =
      std::log(std::sqrt(std::max(left, 0.0) / sums.count) / scale.spacing + kLeastScatter);
  numbers[1] = std::log(curvature * std::sqrt(scale.share) + kLeastCurvature);
  numbers[2] = std::log(sums.count / scale.even);
}

}  // namespace

ScaleSurfaces scale_surfaces(std::int64_t count, const double* offsets, const double* normal) {
  constexpr double kPointsOfUnit = 16;  // the spacing is about the radius of so many points
  ScaleSurfaces result{};
  double most = 0;
  for (std::int64_t k = 0; k < count; ++k) most = std::max(most, squared_length(offsets + 3 * k));
  result.spacing = 1;
  for (auto& n : result.normals) std::copy_n(normal, 3, n);
  if (!(most > 0)) return result;
  const double radius = std::sqrt(most);
  const double spacing = std::sqrt(kPointsOfUnit / static_cast<double>(count));
  result.spacing = radius * spacing;
  const std::array<Sums, kSurfaceScales> rings = ring_sums(count, offsets, normal, radius);
  Sums sums;
  double share = std::ldexp(1.0, 1 - static_cast<int>(kSurfaceScales));
  for (std::size_t s = 0; s < kSurfaceScales; ++s, share *= 2) {
    sums.add(rings[s]);
    put_surface(sums, {share, share * static_cast<double>(count), spacing}, normal,
                result.normals[s], result.numbers[s]);
  }
  return result;
}

}  // namespace equiframe::kernels
