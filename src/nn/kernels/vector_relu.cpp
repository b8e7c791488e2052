#include "nn/kernels/vector_relu.h"

#include <cmath>

#include "simd/workspace.h"

namespace equiframe::kernels::inline nn {
namespace {

// Plain loops over channels, which the compiler turns into vectors.

template <class T>
const T* row_of(VectorRows<const T> rows, std::int64_t r) {
  return rows.data + r * 3 * rows.stride;
}
template <class T>
T* row_of(VectorRows<T> rows, std::int64_t r) {
  return rows.data + r * 3 * rows.stride;
}

template <class T>
void vector_lengths_here(std::int64_t rows, std::int64_t cols, VectorRows<const T> v, T eps,
                         T* __restrict lengths) {
  for (std::int64_t r = 0; r < rows; ++r, lengths += cols) {
    const T *x = row_of(v, r), *y = x + v.stride, *z = y + v.stride;
    for (std::int64_t c = 0; c < cols; ++c)
      lengths[c] = std::sqrt(x[c] * x[c] + y[c] * y[c] + z[c] * z[c]) + eps;
  }
}

template <class T>
void add_lengths_gradient_here(std::int64_t rows, std::int64_t cols, VectorRows<const T> v,
                               const T* gradient, VectorRows<T> dv) {
  for (std::int64_t r = 0; r < rows; ++r, gradient += cols) {
    const T *x = row_of(v, r), *y = x + v.stride, *z = y + v.stride;
    T *dx = row_of(dv, r), *dy = dx + dv.stride, *dz = dy + dv.stride;
#pragma GCC ivdep
    for (std::int64_t c = 0; c < cols; ++c) {
      const T length = std::sqrt(x[c] * x[c] + y[c] * y[c] + z[c] * z[c]);
      const T factor = length > 0 ? gradient[c] / length : T(0);
      dx[c] += factor * x[c];
      dy[c] += factor * y[c];
      dz[c] += factor * z[c];
    }
  }
}

/// One row; `kShared` directions are one for all channels.
template <bool kShared, class T>
void relu_row(std::int64_t cols, const T* v, std::int64_t vs, const T* ratio, const T* d,
              std::int64_t ds, T slope, T eps, T* __restrict out) {
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t k = kShared ? 0 : c;
    const T s = ratio[c];
    const T x = s * v[c], y = s * v[c + vs], z = s * v[c + 2 * vs];
    const T dx = d[k], dy = d[k + ds], dz = d[k + 2 * ds];
    const T p = x * dx + y * dy + z * dz;
    const T back = p < 0 ? (slope - 1) * p / (dx * dx + dy * dy + dz * dz + eps) : T(0);
    out[c] = x + back * dx;
    out[c + cols] = y + back * dy;
    out[c + 2 * cols] = z + back * dz;
  }
}

template <class T>
void vector_relu_here(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& in, T* y) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto run = in.direction == 0 ? &relu_row<true, T> : &relu_row<false, T>;
    run(cols, row_of(in.v, r), in.v.stride, in.ratio + r * cols, row_of(in.d, r), in.d.stride,
        in.slope, in.eps, y + r * 3 * cols);
  }
}

/// Where a row's gradients go; d_d has a place for each channel.
template <class T>
struct ReluRow {
  T* v;
  std::int64_t v_stride;
  T* ratio;
  T* d;
  std::int64_t d_stride;
};

/// With c = 1 - slope, m = |d|^2 + eps and g the gradient of y, where p < 0:
///   dq = g - c <g, d> / m d,   dd = -c (p / m g + <g, d> / m q - 2 p <g, d> / m^2 d)
template <bool kShared, class T>
void relu_row_backward(std::int64_t cols, const T* v, std::int64_t vs, const T* ratio, const T* d,
                       std::int64_t ds, T slope, T eps, const T* g, const ReluRow<T> to) {
  T* __restrict d_v = to.v;
  T* __restrict d_d = to.d;
#pragma GCC ivdep
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t k = kShared ? 0 : c;
    const T s = ratio[c];
    const T vx = v[c], vy = v[c + vs], vz = v[c + 2 * vs];
    const T dx = d[k], dy = d[k + ds], dz = d[k + 2 * ds];
    const T gx = g[c], gy = g[c + cols], gz = g[c + 2 * cols];
    const T p = s * (vx * dx + vy * dy + vz * dz);
    const T inverse = 1 / (dx * dx + dy * dy + dz * dz + eps);
    const T factor = p < 0 ? (slope - 1) * inverse : T(0);
    const T along = (gx * dx + gy * dy + gz * dz) * factor;  // -c <g, d> / m
    const T straight = p * factor;                           // -c p / m
    const T twice = 2 * along * p * inverse;
    const T qx = gx + along * dx, qy = gy + along * dy, qz = gz + along * dz;
    d_v[c] = s * qx;
    d_v[c + to.v_stride] = s * qy;
    d_v[c + 2 * to.v_stride] = s * qz;
    to.ratio[c] = qx * vx + qy * vy + qz * vz;
    d_d[c] = straight * gx + along * s * vx - twice * dx;
    d_d[c + to.d_stride] = straight * gy + along * s * vy - twice * dy;
    d_d[c + 2 * to.d_stride] = straight * gz + along * s * vz - twice * dz;
  }
}

template <class T>
void vector_relu_backward_here(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& in,
                               const VectorReluGradients<T>& g) {
  const bool shared = in.direction == 0;
  Workspace<T> workspace;
  T* all = shared ? workspace.take(3 * cols) : nullptr;
  for (std::int64_t r = 0; r < rows; ++r) {
    T* d_d = row_of(g.d, r);
    const ReluRow<T> to{row_of(g.v, r), g.v.stride, g.ratio + r * cols, shared ? all : d_d,
                        shared ? cols : g.d.stride};
    const auto run = shared ? &relu_row_backward<true, T> : &relu_row_backward<false, T>;
    run(cols, row_of(in.v, r), in.v.stride, in.ratio + r * cols, row_of(in.d, r), in.d.stride,
        in.slope, in.eps, g.y + r * 3 * cols, to);
    if (!shared) continue;
    for (std::int64_t a = 0; a < 3; ++a) {
      T sum = 0;
      for (std::int64_t c = 0; c < cols; ++c) sum += all[a * cols + c];
      d_d[a * g.d.stride] = sum;
    }
  }
}

template <class T>
constexpr VectorReluFunctions<T> kVectorRelu{&vector_lengths_here<T>, &add_lengths_gradient_here<T>,
                                             &vector_relu_here<T>, &vector_relu_backward_here<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(VectorReluKernels, {kVectorRelu<float>, kVectorRelu<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void vector_lengths(std::int64_t rows, std::int64_t cols, VectorRows<const T> v, T eps,
                    T* lengths) {
  Table<VectorReluKernels>::chosen().of<T>().vector_lengths(rows, cols, v, eps, lengths);
}

template <class T>
void add_lengths_gradient(std::int64_t rows, std::int64_t cols, VectorRows<const T> v,
                          const T* gradient, VectorRows<T> dv) {
  Table<VectorReluKernels>::chosen().of<T>().add_lengths_gradient(rows, cols, v, gradient, dv);
}

template <class T>
void vector_relu(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input, T* y) {
  Table<VectorReluKernels>::chosen().of<T>().vector_relu(rows, cols, input, y);
}

template <class T>
void vector_relu_backward(std::int64_t rows, std::int64_t cols, const VectorReluInput<T>& input,
                          const VectorReluGradients<T>& gradients) {
  Table<VectorReluKernels>::chosen().of<T>().vector_relu_backward(rows, cols, input, gradients);
}

template void vector_lengths(std::int64_t, std::int64_t, VectorRows<const float>, float, float*);
template void vector_lengths(std::int64_t, std::int64_t, VectorRows<const double>, double, double*);
template void add_lengths_gradient(std::int64_t, std::int64_t, VectorRows<const float>,
                                   const float*, VectorRows<float>);
template void add_lengths_gradient(std::int64_t, std::int64_t, VectorRows<const double>,
                                   const double*, VectorRows<double>);
template void vector_relu(std::int64_t, std::int64_t, const VectorReluInput<float>&, float*);
template void vector_relu(std::int64_t, std::int64_t, const VectorReluInput<double>&, double*);
template void vector_relu_backward(std::int64_t, std::int64_t, const VectorReluInput<float>&,
                                   const VectorReluGradients<float>&);
template void vector_relu_backward(std::int64_t, std::int64_t, const VectorReluInput<double>&,
                                   const VectorReluGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
