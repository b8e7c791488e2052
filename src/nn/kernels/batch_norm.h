#pragma once

#include <cstdint>

#include "simd/table.h"

/// The passes of batch norm, with a leaky ReLU behind it, over rows of channels [rows, cols]. T is
/// float or double; sums are double, so a part of the rows can be given to each thread.
namespace equiframe::kernels::inline nn {

/// sum and squares [cols] += sums over the rows of x - pivot and (x - pivot)^2. A pivot [cols] near
/// the mean keeps the digits of the variance.
template <class T>
void column_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* pivot, double* sum,
                 double* squares);

/// y = leaky(x scale + shift), where leaky multiplies what is negative by `slope`: 1 leaves it as
/// it is, 0 is ReLU.
template <class T>
struct Activation {
  const T* scale;  ///< [cols]
  const T* shift;  ///< [cols]
  T slope;
};

/// y may be x.
template <class T>
void activate(std::int64_t rows, std::int64_t cols, const T* x, const Activation<T>& activation,
              T* y);

/// With dz = dy leaky'(x scale + shift): sum [cols] += sums of dz, moment [cols] += sums of
/// dz (x - pivot).
template <class T>
void activation_sums(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                     const Activation<T>& activation, const T* pivot, double* sum, double* moment);

/// dx = scale dz + offset + slant x, with offset and slant [cols].
template <class T>
void activation_backward(std::int64_t rows, std::int64_t cols, const T* x, const T* dy,
                         const Activation<T>& activation, const T* offset, const T* slant, T* dx);

template <class T>
struct BatchNormFunctions {
  decltype(&nn::column_sums<T>) column_sums;
  decltype(&nn::activate<T>) activate;
  decltype(&nn::activation_sums<T>) activation_sums;
  decltype(&nn::activation_backward<T>) activation_backward;
};
using BatchNormKernels = BothPrecisions<BatchNormFunctions>;

}  // namespace equiframe::kernels::inline nn
