// The random stream of numpy's legacy global generator (numpy.random.seed, rand, randn), to the
// bit: the benchmark's data are defined by it.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace equiframe::kernels::inline datasets {

/// std::mt19937 in loops that the compiler can vectorise.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed) {
    for (std::size_t k = 0; k < kSize; ++k) {
      state_[k] = seed;
      seed = 1812433253u * (seed ^ (seed >> 30)) + static_cast<std::uint32_t>(k + 1);
    }
  }

  std::uint32_t operator()() {
    if (next_ == kSize) refill();
    return words_[next_++];
  }

 private:
  static constexpr std::size_t kSize = 624, kShift = 397;

  static std::uint32_t twist(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t joined = (a & 0x80000000u) | (b & 0x7fffffffu);
    return (joined >> 1) ^ ((0u - (b & 1u)) & 0x9908b0dfu);
  }

  void refill() {
    std::uint32_t* s = state_.data();
    for (std::size_t k = 0; k < kSize - kShift; ++k) s[k] = s[k + kShift] ^ twist(s[k], s[k + 1]);
    for (std::size_t k = kSize - kShift; k < kSize - 1; ++k)
      s[k] = s[k - (kSize - kShift)] ^ twist(s[k], s[k + 1]);
    s[kSize - 1] = s[kShift - 1] ^ twist(s[kSize - 1], s[0]);
    for (std::size_t k = 0; k < kSize; ++k) {
      std::uint32_t word = s[k];
      word ^= word >> 11;
      word ^= (word << 7) & 0x9d2c5680u;
      word ^= (word << 15) & 0xefc60000u;
      words_[k] = word ^ (word >> 18);
    }
    next_ = 0;
  }

  std::array<std::uint32_t, kSize> state_{}, words_{};
  std::size_t next_ = kSize;
};

class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : words_(seed) {}

  /// In [0, 1), with 53 random bits. Leaves the normals alone.
  double uniform() {
    const std::uint64_t high = words_() >> 5, low = words_() >> 6;
    return static_cast<double>((high << 26) + low) / 9007199254740992.0;  // 2^53
  }

  /// Standard normal by Marsaglia's polar method, which makes two at a time.
  double normal() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const Point at = point_in_disc();
    const double factor = std::sqrt(-2.0 * std::log(at.square) / at.square);
    second_ = factor * at.x;
    has_second_ = true;
    return factor * at.y;
  }

  /// As after `count` calls of normal(), without working the values out.
  void skip_normals(std::int64_t count) {
    if (count > 0 && has_second_) {
      has_second_ = false;
      --count;
    }
    for (; count >= 2; count -= 2) point_in_disc();
    if (count == 1) normal();
  }

 private:
  struct Point {
    double x, y, square;
  };

  /// Uniform in the unit disc without its centre.
  Point point_in_disc() {
    while (true) {
      const double x = 2.0 * uniform() - 1.0;
      const double y = 2.0 * uniform() - 1.0;
      const double square = x * x + y * y;
      if (square < 1.0 && square != 0.0) return {x, y, square};
    }
  }

  MersenneTwister words_;
  double second_ = 0;
  bool has_second_ = false;
};

}  // namespace equiframe::kernels::inline datasets
