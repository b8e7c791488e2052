// Free of LibTorch: the CAD plug-in draws from it too.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace equiframe::inline datasets {

/// Draws in sequence. All draws follow from `start`, on every machine: the generator is defined by
/// the C++ standard to the bit, and the standard's distributions, which are not, stay unused.
class RandomDraws {
 public:
  explicit RandomDraws(uint64_t start) : words_(start) {}

  /// For a part of the work that may draw more or less without changing what comes after it.
  RandomDraws branch() { return RandomDraws(words_()); }

  /// In [0, 1), with 53 random bits.
  double uniform() {
    constexpr double kUnit = 0x1p-53;
    return static_cast<double>(words_() >> 11U) * kUnit;
  }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  /// With equal chances for equal ratios; both bounds positive.
  double between_ratios(double low, double high) { return low * std::pow(high / low, uniform()); }
  /// A whole number in [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(uniform() * static_cast<double>(bound));
  }
  /// A whole number in [low, high].
  int64_t whole(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(double probability) { return uniform() < probability; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 words_;
};

}  // namespace equiframe::inline datasets
