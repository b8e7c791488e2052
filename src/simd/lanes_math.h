// Arithmetic of networks on lanes: fused multiply-add, the logistic function and SiLU.
#pragma once

#include <array>

#include "simd/lanes.h"

namespace equiframe::kernels::inline simd {
namespace {

/// a b + c, rounded once where the instruction set can.
inline Lanes<float> multiply_add(Lanes<float> a, Lanes<float> b, Lanes<float> c) {
#if defined(__AVX512F__)
  return (Lanes<float>)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
  return (Lanes<float>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  return a * b + c;
#endif
}

inline Lanes<double> multiply_add(Lanes<double> a, Lanes<double> b, Lanes<double> c) {
#if defined(__AVX512F__)
  return (Lanes<double>)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__FMA__)
  return (Lanes<double>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return a * b + c;
#endif
}

template <class T>
Lanes<T> load(const T* from) {
  Lanes<T> x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class T>
void store(T* to, Lanes<T> x) {
  std::memcpy(to, &x, sizeof x);
}

/// The sum of all lanes.
template <class V>
Scalar<V> total(V x) {
  if constexpr (sizeof(V) > 16) {
    using Half = typename VectorOf<Scalar<V>, sizeof(V) / 2>::type;
    Half halves[2];
    std::memcpy(halves, &x, sizeof x);
    return total<Half>(halves[0] + halves[1]);
  } else {
    Scalar<V> sum = x[0];
    for (int lane = 1; lane < int{sizeof(V) / sizeof(Scalar<V>)}; ++lane) sum += x[lane];
    return sum;
  }
}

/// 1 / x to a rounding unit or two: an estimate and one Newton step cost less than a division.
inline Lanes<float> reciprocal(Lanes<float> x) {
#if defined(__AVX512F__)
  const auto estimate = (Lanes<float>)_mm512_maskz_rcp14_ps(__mmask16(-1), (__m512)x);
#elif defined(__AVX2__)
  const auto estimate = (Lanes<float>)_mm256_rcp_ps((__m256)x);
#elif defined(__x86_64__)
  const auto estimate = (Lanes<float>)_mm_rcp_ps((__m128)x);
#else
  return 1 / x;
#endif
#if defined(__x86_64__)
  const Lanes<float> rest = multiply_add(-x, estimate, splat<Lanes<float>>(1));
  return multiply_add(estimate, rest, estimate);
#endif
}
inline Lanes<double> reciprocal(Lanes<double> x) {
  return 1 / x;
}

/// a / b to a rounding unit or two. A division runs beside multiplications where it has a unit of
/// its own; on 512 bits it takes too long.
template <class V>
V quotient(V a, V b) {
#if defined(__AVX512F__)
  return a * reciprocal(b);
#else
  return a / b;
#endif
}

/// x, kept in [-limit, limit]; NaN stays NaN.
inline Lanes<float> clamp(Lanes<float> x, float limit) {
#if defined(__AVX512F__)
  constexpr __mmask16 kAll = __mmask16(-1);
  const __m512 low = _mm512_maskz_max_ps(kAll, _mm512_set1_ps(-limit), (__m512)x);
  return (Lanes<float>)_mm512_maskz_min_ps(kAll, _mm512_set1_ps(limit), low);
#elif defined(__AVX2__)
  const __m256 low = _mm256_max_ps(_mm256_set1_ps(-limit), (__m256)x);
  return (Lanes<float>)_mm256_min_ps(_mm256_set1_ps(limit), low);
#else
  return smaller(splat<Lanes<float>>(limit), larger(splat<Lanes<float>>(-limit), x));
#endif
}
inline Lanes<double> clamp(Lanes<double> x, double limit) {
  return smaller(splat<Lanes<double>>(limit), larger(splat<Lanes<double>>(-limit), x));
}

/// 2^n p from p and `shifted` = kRound + n, where kRound = 1.5 2^mantissa leaves n in the low bits.
template <class T>
Lanes<T> scale_by_power(Lanes<T> p, Lanes<T> shifted) {
  constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
  return (Lanes<T>)((Bits<Lanes<T>>)p + ((Bits<Lanes<T>>)shifted << kMantissa));
}

/// 1 + e^-x = 1 + 2^(n + f), |f| <= 1/2. The polynomial is the minimax one of degree 5 (relative
/// error 1e-7), in a form of few dependent steps: latency is what bounds this function.
inline Lanes<float> logistic_denominator(Lanes<float> x) {
  using V = Lanes<float>;
  constexpr float kRound = 0x1.8p23f, kMinusLog2e = -0x1.715476p0f;
  const V t = clamp(x, 87.0f);
  const V shifted = multiply_add(t, splat<V>(kMinusLog2e), splat<V>(kRound));
  const V f = multiply_add(t, splat<V>(kMinusLog2e), kRound - shifted);
  const V f2 = f * f;
  const V low = multiply_add(f, splat<V>(0x1.62e428p-1f), splat<V>(1.0f));
  const V middle = multiply_add(f, splat<V>(0x1.c6b6e4p-5f), splat<V>(0x1.ebf918p-3f));
  const V high = multiply_add(f, splat<V>(0x1.5c08e6p-10f), splat<V>(0x1.3d0c52p-7f));
  const V p = multiply_add(f2, multiply_add(f2, high, middle), low);
  return 1 + scale_by_power<float>(p, shifted);
}

/// In double precision: Taylor terms up to degree 13 on |r| <= ln(2)/2, an error below rounding.
inline Lanes<double> logistic_denominator(Lanes<double> x) {
  using V = Lanes<double>;
  constexpr int kDegree = 13;
  constexpr auto kInverseFactorials = [] {
    std::array<double, kDegree + 1> c{1};
    double factorial = 1;
    for (int k = 1; k <= kDegree; ++k) c[static_cast<size_t>(k)] = 1 / (factorial *= k);
    return c;
  }();
  constexpr double kRound = 0x1.8p52;
  const V t = clamp(-x, 708.0);
  const V shifted = multiply_add(t, splat<V>(0x1.71547652b82fep0), splat<V>(kRound));
  const V n = shifted - kRound;
  V r = multiply_add(n, splat<V>(-0x1.62e42fefap-1), t);
  r = multiply_add(n, splat<V>(-0x1.cf79abc9e3b3ap-40), r);
  V sum = splat<V>(kInverseFactorials[kDegree]);
#pragma GCC unroll 16
  for (int k = kDegree - 1; k >= 0; --k)
    sum = multiply_add(sum, r, splat<V>(kInverseFactorials[static_cast<size_t>(k)]));
  return 1 + scale_by_power<double>(sum, shifted);
}

template <class V>
V logistic(V x) {
  return reciprocal(logistic_denominator(x));
}

/// SiLU(x) = x s(x), and its derivative s(x) (1 + x (1 - s(x))).
template <class T>
struct Sloped {
  Lanes<T> value, slope;
};
/// NaN passes, as through SiLU.
template <class T>
Lanes<T> relu(Lanes<T> x) {
  return x < T(0) ? Lanes<T>{} : x;
}
template <class T>
Sloped<T> relu_with_slope(Lanes<T> x) {
  return {relu<T>(x), x > T(0) ? Lanes<T>{} + T(1) : Lanes<T>{}};
}
template <class T>
Lanes<T> silu(Lanes<T> x) {
  return quotient(x, logistic_denominator(x));
}
template <class T>
Sloped<T> silu_with_slope(Lanes<T> x) {
  const Lanes<T> s = logistic(x);
  const Lanes<T> value = x * s;
  return {value, multiply_add(value, T(1) - s, s)};
}

}  // namespace
}  // namespace equiframe::kernels::inline simd
