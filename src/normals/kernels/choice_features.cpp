#include "normals/kernels/choice_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "linalg/symmetric_eigen.h"

namespace equiframe::kernels::inline normals {
namespace {

/// Of the angle between unit vectors.
template <class T>
T squared_sine(const T* a, const T* b) {
  const T x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
          z = a[0] * b[1] - a[1] * b[0];
  return x * x + y * y + z * z;
}

/// f(k) for k below count, the middle one.
template <class F>
double median(std::int64_t count, F&& f) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) values.push_back(f(k));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void smoothness_numbers(std::int64_t count, const ScaleSurfaces* surfaces, float* numbers) {
  constexpr double kLeast = 1e-6;
  constexpr std::int64_t kLast = kSurfaceScales - 1;
  std::fill_n(numbers, kSmoothnessNumbers, 0.0F);
  if (count == 0) return;
  float* to = numbers;
  const auto put = [&](double value) { *to++ = static_cast<float>(value); };
  put(median(count, [&](std::int64_t k) { return surfaces[k].numbers[0][0]; }));
  put(median(count, [&](std::int64_t k) { return surfaces[k].numbers[kLast][1]; }));
  for (std::int64_t s = 1; s <= kLast; ++s) {
    put(median(count, [&](std::int64_t k) {
      return surfaces[k].numbers[s][0] - surfaces[k].numbers[0][0];
    }));
    put(std::log(kLeast + median(count, [&](std::int64_t k) {
                   return squared_sine(surfaces[k].normals[s], surfaces[k].normals[s - 1]);
                 })));
  }
}

template <class T>
void choice_features(const T* row, T* features) {
  constexpr T kLeast = T(1e-4), kCalm = T(0.3);  // logarithms reach from -9 to 3
  T* to = features;
  for (std::int64_t i = 0; i < kCandidates; ++i)
    for (std::int64_t j = i + 1; j < kCandidates; ++j)
      *to++ = kCalm * std::log(squared_sine(row + 3 * i, row + 3 * j) + kLeast);
  for (std::int64_t i = 0; i < kChoiceNumbers; ++i) *to++ = kCalm * row[3 * kCandidates + i];
}

template <class T>
void choose_normal(const T* row, const T* logits, T* normal) {
  const double top = double(*std::max_element(logits, logits + kCandidates));
  std::array<double, 9> lines{}, axes{};
  std::array<double, 3> values{};
  for (std::int64_t c = 0; c < kCandidates; ++c) {
    const double weight = std::exp(double(logits[c]) - top);
    const T* n = row + 3 * c;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j) lines[3 * i + j] += weight * double(n[i]) * double(n[j]);
  }
  eigh3(1, lines.data(), values.data(), axes.data());
  for (std::size_t i = 0; i < 3; ++i) normal[i] = T(axes[3 * i + 2]);
}

template void choice_features(const float*, float*);
template void choice_features(const double*, double*);
template void choose_normal(const float*, const float*, float*);
template void choose_normal(const double*, const double*, double*);

}  // namespace equiframe::kernels::inline normals
