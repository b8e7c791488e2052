#pragma once

#include <array>
#include <cstddef>

/// Least squares of a quadric over a plane. Plain C++20, no LibTorch.
namespace equiframe::kernels::inline linalg {

/// h = c0 + c1 a + c2 b + c3 a^2 + c4 a b + c5 b^2.
inline constexpr std::size_t kQuadricTerms = 6;

/// Sums over weighted points (a, b) with height h: moments of degree 4 and less, h times those of
/// degree 2 and less, h^2.
class QuadricSums {
 public:
  void add(double weight, double a, double b, double h) {
    const double wa = weight * a, wb = weight * b, waa = wa * a, wab = wa * b, wbb = wb * b;
    const double wh = weight * h, aa = a * a, ab = a * b, bb = b * b;
    const std::array<double, kSize> row{weight,   wa,       wb,       waa,     wab,      wbb,
                                        waa * a,  waa * b,  wbb * a,  wbb * b, waa * aa, waa * ab,
                                        waa * bb, wab * bb, wbb * bb, wh,      wh * a,   wh * b,
                                        wh * aa,  wh * ab,  wh * bb,  wh * h};
    for (std::size_t i = 0; i < kSize; ++i) sums_[i] += row[i];
  }
  void add(const QuadricSums& other) {
    for (std::size_t i = 0; i < kSize; ++i) sums_[i] += other.sums_[i];
  }

  double weight() const { return sums_[0]; }
  double squared_heights() const { return sums_[kSquares]; }
  /// Sum of w h times term i.
  double height_moment(std::size_t i) const { return sums_[kHeights + i]; }

  /// Coefficients of least squares; false if the points do not tell the terms apart.
  bool solve(std::array<double, kQuadricTerms>& coefficients) const;

 private:
  static constexpr std::size_t kHeights = 15, kSquares = kHeights + kQuadricTerms;
  static constexpr std::size_t kSize = 24;  // padded

  /// Sum of w times terms i and j.
  double entry(std::size_t i, std::size_t j) const;

  std::array<double, kSize> sums_{};
};

}  // namespace equiframe::kernels::inline linalg
