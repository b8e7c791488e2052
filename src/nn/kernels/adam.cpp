#include "nn/kernels/adam.h"

#include <cmath>

// Clones for wider vectors; without FMA, which would round differently.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define EQUIFRAME_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define EQUIFRAME_WIDE
#endif

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
[[gnu::always_inline]] inline void update(const Constants<T> c, std::size_t count,
                                          const T* __restrict g, T* __restrict w, T* __restrict m,
                                          T* __restrict v) {
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
[[gnu::always_inline]] inline void move(T rate, std::size_t count, const T* __restrict value,
                                        T* __restrict average) {
  for (std::size_t i = 0; i < count; ++i) average[i] += rate * (value[i] - average[i]);
}

EQUIFRAME_WIDE void update_floats(const Constants<float>& c, std::size_t count, const float* g,
                                  float* w, float* m, float* v) {
  update(c, count, g, w, m, v);
}

EQUIFRAME_WIDE void update_doubles(const Constants<double>& c, std::size_t count, const double* g,
                                   double* w, double* m, double* v) {
  update(c, count, g, w, m, v);
}

EQUIFRAME_WIDE void move_floats(float rate, std::size_t count, const float* value, float* average) {
  move(rate, count, value, average);
}

EQUIFRAME_WIDE void move_doubles(double rate, std::size_t count, const double* value,
                                 double* average) {
  move(rate, count, value, average);
}

}  // namespace

void adam_update(const AdamStep& step, std::size_t count, const float* gradient, float* weight,
                 float* mean, float* variance) {
  update_floats(Constants<float>(step), count, gradient, weight, mean, variance);
}

void adam_update(const AdamStep& step, std::size_t count, const double* gradient, double* weight,
                 double* mean, double* variance) {
  update_doubles(Constants<double>(step), count, gradient, weight, mean, variance);
}

void move_average(double rate, std::size_t count, const float* value, float* average) {
  move_floats(static_cast<float>(rate), count, value, average);
}

void move_average(double rate, std::size_t count, const double* value, double* average) {
  move_doubles(rate, count, value, average);
}

}  // namespace equiframe::kernels::inline nn
