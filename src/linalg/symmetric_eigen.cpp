// One symmetric matrix to a lane, without iteration.
//
// 3x3: the deviator of A, scaled to B with tr B = 0 and tr B^2 = 6, has the characteristic
// polynomial x^3 - 3x - det B. Its root of largest magnitude, a, lies in [sqrt 3, 2] and is at
// least sqrt 3 away from the other two whatever A is. So a and its eigenvector v are always well
// conditioned: v is a column of adj(B - aI) = (a - b)(a - c) v v^T. What is left is a 2x2 problem
// in the plane orthogonal to v, which one Jacobi rotation solves, ties included. Values are
// Rayleigh quotients of A, so that a diagonal matrix keeps its diagonal to the last bit.
// (The root is O. K. Smith's, 1961; the deflation is D. Eberly's.)
//
// The steps run one after the other over a block of registers held in the first cache: the chain
// of dependent operations through a single matrix is four times longer than the work in it, and
// only short loops let the processor overlap several.
#include "linalg/symmetric_eigen.h"

#include "simd/lanes_io.h"

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

constexpr int kBlock = 8;  // registers

/// B, see above; zero stays zero.
template <class V>
Symmetric3<V> scaled_deviator(const Symmetric3<V>& a) {
  using T = Scalar<V>;
  const V mean = (a.xx + a.yy + a.zz) * (T{1} / 3);
  const V xx = a.xx - mean, yy = a.yy - mean, zz = a.zz - mean;
  const V sum = (xx * xx + yy * yy + zz * zz) * (T{1} / 6) +
                (a.yx * a.yx + a.zx * a.zx + a.zy * a.zy) * (T{1} / 3);
  const V f = 1 / square_root(larger(splat<V>(T(0x1p-120)), sum));
  return {xx * f, a.yx * f, yy * f, a.zx * f, a.zy * f, zz * f};
}

/// 2 cos(acos(h) / 3) for h in [0, 1] and a little beyond, the largest root of x^3 - 3x = 2h: a
/// Chebyshev fit within 3.6e-9, then one Newton step, which squares that.
template <class V>
V largest_root(V h) {
  using T = Scalar<V>;
  const V h2 = h * h;
  const V h4 = h2 * h2;
  const V low = (T(1.7320508111991304) + T(0.333332742288997342) * h) +
                (T(-0.096208882905866962) + T(0.04920859358465821) * h) * h2;
  const V high = (T(-0.0302145503224335075) + T(0.0187666611414102185) * h) +
                 (T(-0.00985938234485949424) + T(0.00352971374623379693) * h) * h2 +
                 T(-0.000605708402901725369) * h4;
  const V x = low + high * h4;
  const V square = x * x;
  return x - (x * (square - 3) - (h + h)) / (3 * square - 3);
}

/// The eigenvalue of B of largest magnitude.
template <class V>
V isolated_value(const Symmetric3<V>& b) {
  const V determinant = b.xx * (b.yy * b.zz - b.zy * b.zy) + b.yx * (b.zy * b.zx - b.yx * b.zz) +
                        b.zx * (b.yx * b.zy - b.yy * b.zx);
  const V h = determinant * Scalar<V>(0.5);
  return with_sign(largest_root(magnitude(h)), h);
}

/// The unit eigenvector of `value`: the longest column of the adjugate of B - value I.
template <class V>
Vector3<V> isolated_vector(const Symmetric3<V>& b, V value) {
  const V x = b.xx - value, y = b.yy - value, z = b.zz - value;
  const V xx = y * z - b.zy * b.zy;
  const V yy = x * z - b.zx * b.zx;
  const V zz = x * y - b.yx * b.yx;
  const V yx = b.zx * b.zy - b.yx * z;
  const V zx = b.yx * b.zy - b.zx * y;
  const V zy = b.yx * b.zx - b.zy * x;
  const Vector3<V> first{xx, yx, zx}, second{yx, yy, zy}, third{zx, zy, zz};
  return normalised(choose(larger(xx, yy) > zz, choose(xx > yy, first, second), third));
}

/// Eigenvectors of B in the plane orthogonal to v, the smaller value first. The basis u, w of the
/// plane is the one of Duff et al. 2017, exact to rounding and without a branch.
template <class V>
void plane_vectors(const Symmetric3<V>& b, const Vector3<V>& v, Vector3<V>& low, Vector3<V>& high) {
  const V sign = with_sign(splat<V>(1), v.z);
  const V k = -1 / (sign + v.z);
  const V xy = v.x * v.y * k;
  const Vector3<V> u{1 + sign * v.x * v.x * k, sign * xy, -sign * v.x};
  const Vector3<V> w{xy, sign + v.y * v.y * k, -v.y};
  const Vector3<V> bw = product(b, w);
  const auto [c, s] = diagonalising(dot(u, product(b, u)), dot(w, bw), dot(u, bw));
  low = {c * u.x - s * w.x, c * u.y - s * w.y, c * u.z - s * w.z};
  high = {s * u.x + c * w.x, s * u.y + c * w.y, s * u.z + c * w.z};
}

template <class V>
V rayleigh(const Symmetric3<V>& a, const Vector3<V>& v) {
  return dot(v, product(a, v));
}

/// Intermediate results of one block of 3x3 matrices.
template <class V>
struct Workspace3 {
  Symmetric3<V> a[kBlock];  // scaled input
  V up[kBlock];             // what undoes the scale
  Symmetric3<V> b[kBlock];
  V isolated[kBlock];
  Vector3<V> v[kBlock], low[kBlock], high[kBlock];
};

template <class T>
[[gnu::flatten]] void load_scaled(int registers, const T* matrices, Workspace3<Lanes<T>>& work) {
  using V = Lanes<T>;
  for (int i = 0; i < registers; ++i) {
    V m[9];
    load_records(matrices + i * 9 * kWidth<T>, m);
    const V diagonal = larger(larger(magnitude(m[0]), magnitude(m[4])), magnitude(m[8]));
    const V other = larger(larger(magnitude(m[3]), magnitude(m[6])), magnitude(m[7]));
    const auto [down, up] = scale_for(larger(diagonal, other));
    work.a[i] = {m[0] * down, m[3] * down, m[4] * down, m[6] * down, m[7] * down, m[8] * down};
    work.up[i] = up;
  }
}

template <class V>
[[gnu::flatten]] void solve(int registers, Workspace3<V>& work) {
  for (int i = 0; i < registers; ++i) work.b[i] = scaled_deviator(work.a[i]);
  for (int i = 0; i < registers; ++i) work.isolated[i] = isolated_value(work.b[i]);
  for (int i = 0; i < registers; ++i) work.v[i] = isolated_vector(work.b[i], work.isolated[i]);
  for (int i = 0; i < registers; ++i) {
    plane_vectors(work.b[i], work.v[i], work.low[i], work.high[i]);
  }
}

/// Sorting the values alone is right: the vectors are in order already, and what rounding may have
/// swapped is tied to within it.
template <class T>
[[gnu::flatten]] void store_sorted(int registers, const Workspace3<Lanes<T>>& work, T* values,
                                   T* vectors) {
  using V = Lanes<T>;
  for (int i = 0; i < registers; ++i) {
    const auto first = work.isolated[i] < 0;
    const Vector3<V> x = choose(first, work.v[i], work.low[i]);
    const Vector3<V> y = choose(first, work.low[i], work.high[i]);
    const Vector3<V> z = choose(first, work.high[i], work.v[i]);
    const V columns[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
    store_records(columns, vectors + i * 9 * kWidth<T>);
    const V p = rayleigh(work.a[i], x), q = rayleigh(work.a[i], y), r = rayleigh(work.a[i], z);
    const V least = smaller(p, q), most = larger(p, q), middle = smaller(most, r);
    const V up = work.up[i];
    const V sorted[3] = {smaller(least, middle) * up, larger(least, middle) * up,
                         larger(most, r) * up};
    store_records(sorted, values + i * 3 * kWidth<T>);
  }
}

template <class T>
struct Eigh3 {
  static constexpr int kDim = 3;
  static void block(int registers, const T* matrices, T* values, T* vectors) {
    Workspace3<Lanes<T>> work;
    load_scaled(registers, matrices, work);
    solve(registers, work);
    store_sorted(registers, work, values, vectors);
  }
};

template <class T>
struct Eigh2 {
  static constexpr int kDim = 2;
  [[gnu::flatten]] static void block(int registers, const T* matrices, T* values, T* vectors) {
    using V = Lanes<T>;
    for (int i = 0; i < registers; ++i) {
      V m[4];
      load_records(matrices + i * 4 * kWidth<T>, m);
      const auto [down, up] =
          scale_for(larger(larger(magnitude(m[0]), magnitude(m[3])), magnitude(m[2])));
      const V p = m[0] * down, q = m[3] * down, r = m[2] * down;
      const auto [c, s] = diagonalising(p, q, r);
      const V columns[4] = {c, s, -s, c};
      store_records(columns, vectors + i * 4 * kWidth<T>);
      const V low = c * (c * p - s * r) - s * (c * r - s * q);
      const V high = s * (s * p + c * r) + c * (s * r + c * q);
      const V sorted[2] = {smaller(low, high) * up, larger(low, high) * up};
      store_records(sorted, values + i * 2 * kWidth<T>);
    }
  }
};

/// Runs a decomposition over any number of matrices; the last, partial register is padded with
/// zeros.
template <template <class> class Decomposition, class T>
void for_all(std::int64_t count, const T* matrices, T* values, T* vectors) {
  constexpr int kDim = Decomposition<T>::kDim;
  constexpr int kEntries = kDim * kDim;
  constexpr int kPerBlock = kBlock * kWidth<T>;
  while (count >= kWidth<T>) {
    const int registers = count < kPerBlock ? int(count) / kWidth<T> : kBlock;
    const int done = registers * kWidth<T>;
    Decomposition<T>::block(registers, matrices, values, vectors);
    count -= done;
    matrices += done * kEntries;
    values += done * kDim;
    vectors += done * kEntries;
  }
  if (count <= 0) return;
  T padded[kEntries * kWidth<T>] = {}, padded_values[kDim * kWidth<T>],
                      padded_vectors[kEntries * kWidth<T>];
  const auto bytes = std::size_t(count) * sizeof(T);
  std::memcpy(padded, matrices, kEntries * bytes);
  Decomposition<T>::block(1, padded, padded_values, padded_vectors);
  std::memcpy(values, padded_values, kDim * bytes);
  std::memcpy(vectors, padded_vectors, kEntries * bytes);
}

template <class T>
constexpr EigenFunctions<T> kEigen{&for_all<Eigh2, T>, &for_all<Eigh3, T>};

}  // namespace
}  // namespace equiframe::kernels::inline linalg

EQUIFRAME_KERNELS(EigenKernels, {kEigen<float>, kEigen<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline linalg {

void eigh2(std::int64_t count, const float* matrices, float* values, float* vectors) {
  Table<EigenKernels>::chosen().f32.eigh2(count, matrices, values, vectors);
}
void eigh2(std::int64_t count, const double* matrices, double* values, double* vectors) {
  Table<EigenKernels>::chosen().f64.eigh2(count, matrices, values, vectors);
}

void eigh3(std::int64_t count, const float* matrices, float* values, float* vectors) {
  Table<EigenKernels>::chosen().f32.eigh3(count, matrices, values, vectors);
}
void eigh3(std::int64_t count, const double* matrices, double* values, double* vectors) {
  Table<EigenKernels>::chosen().f64.eigh3(count, matrices, values, vectors);
}

}  // namespace equiframe::kernels::inline linalg
#endif
