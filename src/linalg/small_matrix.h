// Vectors and symmetric matrices of two and three dimensions, one to a lane. V is a Lanes type.
#pragma once

#include "simd/lanes.h"

namespace equiframe::kernels::inline linalg {
namespace {

template <class V>
struct Vector3 {
  V x, y, z;
};

template <class V>
struct Symmetric3 {
  V xx, yx, yy, zx, zy, zz;
};

template <class V>
V dot(const Vector3<V>& a, const Vector3<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class V>
Vector3<V> product(const Symmetric3<V>& a, const Vector3<V>& v) {
  return {a.xx * v.x + a.yx * v.y + a.zx * v.z, a.yx * v.x + a.yy * v.y + a.zy * v.z,
          a.zx * v.x + a.zy * v.y + a.zz * v.z};
}

template <class Mask, class V>
Vector3<V> choose(Mask mask, const Vector3<V>& a, const Vector3<V>& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

/// What to add to each entry u of a vector of squared length 1 - e, as a multiple of u, to make
/// its length one. Takes out the rounding of the length that u was divided by.
template <class V>
V length_correction(V e) {
  return e * Scalar<V>(0.5);
}

template <class V>
Vector3<V> normalised(const Vector3<V>& a) {
  const V inverse = 1 / square_root(dot(a, a));
  const Vector3<V> u{a.x * inverse, a.y * inverse, a.z * inverse};
  const V f = length_correction(1 - u.x * u.x - u.y * u.y - u.z * u.z);
  return {u.x + u.x * f, u.y + u.y * f, u.z + u.z * f};
}

/// Powers of two with down * m in [2, 4) and up * down = 1. For an infinite m, down = 0, so that
/// the scaled matrix holds a NaN; a subnormal m is scaled as far as a normal number can.
template <class V>
struct Scale {
  V down, up;
};

template <class V>
Scale<V> scale_for(V m) {
  constexpr bool kDouble = sizeof(Scalar<V>) == 8;
  constexpr int kMantissaBits = kDouble ? 52 : 23;
  constexpr auto kUnit = BitsOf<Scalar<V>>{1} << kMantissaBits;  // exponent field of one
  constexpr auto kMask = ~kSignBit<V> & ~(kUnit - 1);            // the whole exponent field
  constexpr Scalar<V> kLeast = kDouble ? Scalar<V>(0x1p-1021) : Scalar<V>(0x1p-125);
  const Bits<V> exponent = (Bits<V>)larger(splat<V>(kLeast), m) & kMask;
  return {(V)(kMask - exponent), (V)(exponent - kUnit)};
}

/// Cosine and sine that turn an orthonormal pair u, w into eigenvectors: c u - s w for the smaller
/// value, s u + c w for the larger one.
template <class V>
struct Rotation {
  V c, s;
};

/// For the symmetric matrix [p, r; r, q], whose entries are of order one at most. What is below
/// 2^-60 counts as zero: its square is still a normal float, so nothing becomes subnormal.
template <class V>
Rotation<V> diagonalising(V p, V q, V r) {
  const V negligible = splat<V>(Scalar<V>(0x1p-60));
  const V twice = magnitude(r) < negligible ? V{} : r + r;
  const V gap = larger(negligible, magnitude(q - p));
  const V sum = gap + square_root(gap * gap + twice * twice);
  const V inverse = 1 / square_root(sum * sum + twice * twice);
  const V c = sum * inverse;
  const V s = twice * inverse;
  const V f = length_correction(1 - c * c - s * s);
  const V large = c + c * f;
  const V small = s + s * f;
  return {q < p ? small : large, q < p ? large : small};
}

}  // namespace
}  // namespace equiframe::kernels::inline linalg
