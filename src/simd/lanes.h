// Vectors of numbers as wide as the instruction set this file is compiled for, one matrix or point
// to a lane. Included by one source per instruction set, so every name has internal linkage: the
// linker must never keep an AVX copy of a function for the baseline code.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace equiframe::kernels::inline simd {
namespace {

#if defined(__AVX512F__)
constexpr int kLaneBytes = 64;
#elif defined(__AVX2__)
constexpr int kLaneBytes = 32;
#else
constexpr int kLaneBytes = 16;
#endif

template <class T, int kBytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using): GCC wants it
};

template <class T>
using Lanes = typename VectorOf<T, kLaneBytes>::type;
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
constexpr int kWidth = kLaneBytes / int{sizeof(T)};
/// Numbers in 16 bytes, the piece of a register that shuffles work within.
template <class T>
constexpr int kQuad = 16 / int{sizeof(T)};

inline Lanes<float> square_root(Lanes<float> x) {
#if defined(__AVX512F__)
  return (Lanes<float>)_mm512_maskz_sqrt_ps(__mmask16(-1), (__m512)x);
#elif defined(__AVX2__)
  return (Lanes<float>)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
  return (Lanes<float>)_mm_sqrt_ps((__m128)x);
#else
  for (int lane = 0; lane < kWidth<float>; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
  return x;
#endif
}

inline Lanes<double> square_root(Lanes<double> x) {
#if defined(__AVX512F__)
  return (Lanes<double>)_mm512_maskz_sqrt_pd(__mmask8(-1), (__m512d)x);
#elif defined(__AVX2__)
  return (Lanes<double>)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__)
  return (Lanes<double>)_mm_sqrt_pd((__m128d)x);
#else
  for (int lane = 0; lane < kWidth<double>; ++lane) x[lane] = __builtin_sqrt(x[lane]);
  return x;
#endif
}

/// As many floats as there are lanes of double, exactly converted.
inline Lanes<double> to_double(typename VectorOf<float, kLaneBytes / 2>::type x) {
#if defined(__AVX512F__)
  return (Lanes<double>)_mm512_maskz_cvtps_pd(__mmask8(-1), (__m256)x);
#elif defined(__AVX2__)
  return (Lanes<double>)_mm256_cvtps_pd((__m128)x);
#else
  return __builtin_convertvector(x, Lanes<double>);
#endif
}

template <class V>
using Scalar = std::remove_cvref_t<decltype(std::declval<V>()[0])>;
template <class V>
using Bits = typename VectorOf<BitsOf<Scalar<V>>, sizeof(V)>::type;
template <class V>
constexpr BitsOf<Scalar<V>> kSignBit = BitsOf<Scalar<V>>{1} << (8 * sizeof(Scalar<V>) - 1);

template <class V>
V splat(Scalar<V> x) {
  return x - V{};  // folds to a broadcast; the sum would turn -0 into 0
}

/// The larger and the smaller one; y if either is NaN.
template <class V>
V larger(V x, V y) {
  return x > y ? x : y;
}
template <class V>
V smaller(V x, V y) {
  return x < y ? x : y;
}

template <class V>
V magnitude(V x) {
  return (V)((Bits<V>)x & ~kSignBit<V>);
}

/// x >= 0 with the sign of y.
template <class V>
V with_sign(V x, V y) {
  return (V)((Bits<V>)x | ((Bits<V>)y & kSignBit<V>));
}

}  // namespace
}  // namespace equiframe::kernels::inline simd
