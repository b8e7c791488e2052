// x^(3/2) as the C library rounds it, in all lanes at once.
#pragma once

#include <cmath>

#include "simd/lanes.h"

namespace equiframe::kernels::inline datasets {
namespace {

using Doubles = Lanes<double>;

/// Bit k: whether a comparison held in lane k.
inline unsigned lane_bits(Bits<Doubles> mask) {
#if defined(__AVX512F__)
  return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask));
#elif defined(__x86_64__)
  return static_cast<unsigned>(_mm_movemask_pd((__m128d)mask));
#else
  unsigned bits = 0;
  for (int lane = 0; lane < kWidth<double>; ++lane) bits |= unsigned{mask[lane] != 0} << lane;
  return bits;
#endif
}

#if defined(__FMA__) || defined(__FP_FAST_FMA)

/// a b + c with one rounding.
inline Doubles fused(Doubles a, Doubles b, Doubles c) {
#if defined(__AVX512F__)
  return (Doubles)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__AVX2__)
  return (Doubles)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  for (int lane = 0; lane < kWidth<double>; ++lane)
    c[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
  return c;
#endif
}

/// a b - product, exactly, for the rounded product.
inline Doubles product_error(Doubles a, Doubles b, Doubles product) {
  return fused(a, b, -product);
}

/// x - root^2, exactly, for the rounded root.
inline Doubles square_residual(Doubles x, Doubles root) {
  return fused(-root, root, x);
}

#else

/// The upper 26 bits; Veltkamp's splitting.
inline Doubles upper_half(Doubles a) {
  const Doubles scaled = 134217729.0 * a;  // 2^27 + 1
  return scaled - (scaled - a);
}

/// a b - product, exactly, for the rounded product; Dekker's algorithm.
inline Doubles product_error(Doubles a, Doubles b, Doubles product) {
  const Doubles a1 = upper_half(a), b1 = upper_half(b);
  const Doubles a2 = a - a1, b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

/// x - root^2, exactly, for the rounded root.
inline Doubles square_residual(Doubles x, Doubles root) {
  const Doubles square = root * root;
  return (x - square) - product_error(root, root, square);
}

#endif

/// x^(3/2) rounded to the nearest double.
struct Power {
  Doubles value;
  unsigned settled;  // bit k: the C library rounds lane k in the same way
};

/// x sqrt(x) is worked out to about 1e-31: with s the rounded root and e = x - s^2, both exact,
/// x sqrt(x) = x s + s e / 2 + O(e^2), and x s is the sum of two doubles. In [2^-20, 2^20] glibc's
/// pow errs by less than 0.512 units in the last place (its stated bounds: 0.511 in the exponential
/// and 1.5 * 2^-68, relative, in the logarithm), so it returns the nearest double unless the value
/// is within 0.012 units of the middle between two doubles. Settled is what is farther than 0.0125
/// units, 39 arguments in 40; a NaN never is.
inline Power nearest_power(Doubles x) {
  constexpr double kGuard = 0.5 / (0.5 - 0.0125);
  const Doubles root = square_root(x);
  const Doubles residual = square_residual(x, root);
  const Doubles product = x * root;
  const Doubles low = product_error(x, root, product) + (0.5 * root) * residual;
  const Doubles rounded = product + low;
  const Doubles rest = low - (rounded - product);  // value = rounded + rest
  return {rounded, lane_bits((Bits<Doubles>)(rounded + kGuard * rest == rounded))};
}

/// results[i] = std::pow(x[i], 1.5), to the bit. Not in place.
inline void powers_three_halves(std::int64_t count, const Doubles* x, Doubles* results) {
  constexpr int kLanes = kWidth<double>;
  constexpr std::int64_t kBlock = 64 / kLanes;  // as many as have their bits in one word
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t size = count - first < kBlock ? count - first : kBlock;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - size * kLanes);
    std::uint64_t settled = 0;
    Doubles least = splat<Doubles>(1), most = least;
    for (std::int64_t k = 0; k < size; ++k) {
      const Power power = nearest_power(x[first + k]);
      results[first + k] = power.value;
      settled |= std::uint64_t{power.settled} << (k * kLanes);
      least = smaller(x[first + k], least);
      most = larger(x[first + k], most);
    }
    const auto outside = (Bits<Doubles>)((least < 0x1p-20) | (most > 0x1p20));
    std::uint64_t doubtful = lane_bits(outside) == 0 ? settled ^ all : all;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const int bit = __builtin_ctzll(doubtful);
      const std::int64_t i = first + bit / kLanes;
      results[i][bit % kLanes] = std::pow(x[i][bit % kLanes], 1.5);
    }
  }
}

}  // namespace
}  // namespace equiframe::kernels::inline datasets
