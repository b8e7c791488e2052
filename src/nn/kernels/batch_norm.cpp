#include "nn/kernels/batch_norm.h"

#include <algorithm>

#include "simd/workspace.h"

namespace equiframe::kernels::inline nn {
namespace {

// Plain loops over channels, which the compiler turns into vectors.

constexpr std::int64_t kSumRows = 512;  // added up in T before the sums are widened

/// add(first row, rows, sums, squares) for blocks of rows; the sums in T of each block are added to
/// `sum` and `squares`.
template <class T, class Add>
void in_blocks(std::int64_t rows, std::int64_t cols, double* sum, double* squares, const Add& add) {
  Workspace<T> workspace;
  T* first = workspace.take(cols);
  T* second = workspace.take(cols);
  for (std::int64_t r = 0; r < rows; r += kSumRows) {
    std::fill_n(first, cols, T(0));
    std::fill_n(second, cols, T(0));
    add(r, std::min(kSumRows, rows - r), first, second);
    for (std::int64_t c = 0; c < cols; ++c) {
      sum[c] += static_cast<double>(first[c]);
      squares[c] += static_cast<double>(second[c]);
    }
  }
}

template <class T>
void add_squares(std::int64_t rows, std::int64_t cols, const T* x, const T* __restrict pivot,
                 T* __restrict sum, T* __restrict squares) {
  constexpr std::int64_t kTogether = 4;  // rows that share a load and a store of the sums
  std::int64_t r = 0;
  for (; r + kTogether <= rows; r += kTogether, x += kTogether * cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const T p = pivot[c];
      const T a = x[c] - p, b = x[c + cols] - p, d = x[c + 2 * cols] - p, e = x[c + 3 * cols] - p;
      sum[c] += (a + b) + (d + e);
      squares[c] += (a * a + b * b) + (d * d + e * e);
    }
  }
  for (; r < rows; ++r, x += cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const T a = x[c] - pivot[c];
      sum[c] += a;
      squares[c] += a * a;
    }
  }
}

template <class T>
void column_sums_here(std::int64_t rows, std::int64_t cols, const T* x, const T* pivot, double* sum,
                      double* squares) {
  in_blocks<T>(rows, cols, sum, squares, [=](std::int64_t r, std::int64_t count, T* s, T* q) {
    add_squares(count, cols, x + r * cols, pivot, s, q);
  });
}

template <class T>
void activate_here(std::int64_t rows, std::int64_t cols, const T* x,
                   const Activation<T>& activation, T* y) {
  const Activation<T> f = activation;
  for (std::int64_t r = 0; r < rows; ++r, x += cols, y += cols) {
#pragma GCC ivdep
    for (std::int64_t c = 0; c < cols; ++c) {
      const T z = x[c] * f.scale[c] + f.shift[c];
      y[c] = z > 0 ? z : z * f.slope;
    }
  }
}

/// dy leaky'(x scale + shift) of channel c.
template <class T>
inline T before_activation(const Activation<T>& f, std::int64_t c, T x, T dy) {
  return x * f.scale[c] + f.shift[c] > 0 ? dy : dy * f.slope;
}

template <class T>
void add_moments(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                 const Activation<T> f, const T* __restrict pivot, T* __restrict sum,
                 T* __restrict moment) {
  for (std::int64_t r = 0; r < rows; ++r, x += cols, dy += cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const T dz = before_activation(f, c, x[c], dy[c]);
      sum[c] += dz;
      moment[c] += dz * (x[c] - pivot[c]);
    }
  }
}

template <class T>
void activation_sums_here(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                          const Activation<T>& activation, const T* pivot, double* sum,
                          double* moment) {
  in_blocks<T>(rows, cols, sum, moment, [&](std::int64_t r, std::int64_t count, T* s, T* m) {
    add_moments(count, cols, x + r * cols, dy + r * cols, activation, pivot, s, m);
  });
}

template <class T>
void activation_backward_here(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                              const Activation<T>& activation, const T* offset, const T* slant,
                              T* __restrict dx) {
  const Activation<T> f = activation;
  for (std::int64_t r = 0; r < rows; ++r, x += cols, dy += cols, dx += cols) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const T dz = before_activation(f, c, x[c], dy[c]);
      dx[c] = f.scale[c] * dz + offset[c] + slant[c] * x[c];
    }
  }
}

template <class T>
constexpr BatchNormFunctions<T> kBatchNorm{&column_sums_here<T>, &activate_here<T>,
                                           &activation_sums_here<T>, &activation_backward_here<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(BatchNormKernels, {kBatchNorm<float>, kBatchNorm<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void column_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* pivot, double* sum,
                 double* squares) {
  Table<BatchNormKernels>::chosen().of<T>().column_sums(rows, cols, x, pivot, sum, squares);
}

template <class T>
void activate(std::int64_t rows, std::int64_t cols, const T* x, const Activation<T>& activation,
              T* y) {
  Table<BatchNormKernels>::chosen().of<T>().activate(rows, cols, x, activation, y);
}

template <class T>
void activation_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                     const Activation<T>& activation, const T* pivot, double* sum, double* moment) {
  Table<BatchNormKernels>::chosen().of<T>().activation_sums(rows, cols, x, dy, activation, pivot,
                                                            sum, moment);
}

template <class T>
void activation_backward(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                         const Activation<T>& activation, const T* offset, const T* slant, T* dx) {
  Table<BatchNormKernels>::chosen().of<T>().activation_backward(rows, cols, x, dy, activation,
                                                                offset, slant, dx);
}

template void column_sums(std::int64_t, std::int64_t, const float*, const float*, double*, double*);
template void column_sums(std::int64_t, std::int64_t, const double*, const double*, double*,
                          double*);
template void activate(std::int64_t, std::int64_t, const float*, const Activation<float>&, float*);
template void activate(std::int64_t, std::int64_t, const double*, const Activation<double>&,
                       double*);
template void activation_sums(std::int64_t, std::int64_t, const float*, const float*,
                              const Activation<float>&, const float*, double*, double*);
template void activation_sums(std::int64_t, std::int64_t, const double*, const double*,
                              const Activation<double>&, const double*, double*, double*);
template void activation_backward(std::int64_t, std::int64_t, const float*, const float*,
                                  const Activation<float>&, const float*, const float*, float*);
template void activation_backward(std::int64_t, std::int64_t, const double*, const double*,
                                  const Activation<double>&, const double*, const double*, double*);

}  // namespace equiframe::kernels::inline nn
#endif
