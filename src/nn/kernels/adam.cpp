#include "nn/kernels/adam.h"

#include <cmath>

namespace equiframe::kernels::inline nn {
namespace {

/// The numbers of a step in the type of the weights.
template <class T>
struct Constants {
  explicit Constants(const AdamStep& s)
      : beta1(T(s.beta1)),
        beta2(T(s.beta2)),
        rest1(T(1 - s.beta1)),
        rest2(T(1 - s.beta2)),
        epsilon(T(s.epsilon)),
        rate(T(s.rate)),
        root_scale(T(s.root_scale)),
        l2(T(s.l2)),
        keep(T(s.keep)) {}
  T beta1, beta2, rest1, rest2, epsilon, rate, root_scale, l2, keep;
};

template <class T>
void update(const AdamStep& step, std::size_t count, const T* __restrict g, T* __restrict w,
            T* __restrict m, T* __restrict v) {
  const Constants<T> c(step);
  for (std::size_t i = 0; i < count; ++i) {
    const T gradient = g[i] + c.l2 * w[i];
    const T mean = c.beta1 * m[i] + c.rest1 * gradient;
    const T variance = c.beta2 * v[i] + c.rest2 * (gradient * gradient);
    m[i] = mean;
    v[i] = variance;
    w[i] = c.keep * w[i] - c.rate * mean / (std::sqrt(variance) * c.root_scale + c.epsilon);
  }
}

template <class T>
void move(double rate, std::size_t count, const T* __restrict value, T* __restrict average) {
  const T step = T(rate);
  for (std::size_t i = 0; i < count; ++i) average[i] += step * (value[i] - average[i]);
}

template <class T>
constexpr AdamFunctions<T> kAdam{&update<T>, &move<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(AdamKernels, {kAdam<float>, kAdam<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

void adam_update(const AdamStep& step, std::size_t count, const float* gradient, float* weight,
                 float* mean, float* variance) {
  Table<AdamKernels>::chosen().f32.update(step, count, gradient, weight, mean, variance);
}
void adam_update(const AdamStep& step, std::size_t count, const double* gradient, double* weight,
                 double* mean, double* variance) {
  Table<AdamKernels>::chosen().f64.update(step, count, gradient, weight, mean, variance);
}

void move_average(double rate, std::size_t count, const float* value, float* average) {
  Table<AdamKernels>::chosen().f32.move(rate, count, value, average);
}
void move_average(double rate, std::size_t count, const double* value, double* average) {
  Table<AdamKernels>::chosen().f64.move(rate, count, value, average);
}

}  // namespace equiframe::kernels::inline nn
#endif
