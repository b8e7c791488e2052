// Layer normalisation and ReLU of rows of numbers.
#pragma once

#include <cmath>

#include "nn/kernels/steerable/steerable_products.h"
#include "simd/workspace.h"

namespace equiframe::kernels::inline nn {
namespace {

/// One layer's norm, scale, shift and ReLU for rows of numbers.
template <class T>
class NormRelu {
 public:
  NormRelu(Workspace<T>& workspace, std::int64_t rows, std::int64_t width)
      : width_(width),
        normal_(workspace.take(rows * width)),
        slope_(workspace.take(rows)),
        result_(workspace.take(rows * width)) {}

  T* row(std::int64_t p) const { return result_ + p * width_; }

  /// The row p of the result, from x in its place.
  void forward(std::int64_t p, const T* scale, const T* shift) {
    T* x = row(p);
    T* normal = normal_ + p * width_;
    Lanes<T> sum{}, squares{};
    lanes([&](std::int64_t n) { sum += load<T>(x + n); });
    const T mean = total(sum) / static_cast<T>(width_);
    lanes([&](std::int64_t n) {
      const Lanes<T> centred = load<T>(x + n) - mean;
      squares += centred * centred;
      store(normal + n, centred);
    });
    slope_[p] = 1 / std::sqrt(total(squares) / static_cast<T>(width_) + T(1e-5));
    lanes([&](std::int64_t n) {
      const Lanes<T> value = load<T>(normal + n) * slope_[p];
      store(normal + n, value);
      const Lanes<T> y = multiply_add(value, load<T>(scale + n), load<T>(shift + n));
      store(x + n, y > 0 ? y : Lanes<T>{});
    });
  }

  /// Turns the gradient of row p of the result into that of x, in place.
  void backward(std::int64_t p, const T* scale, T* gradient, T* dscale, T* dshift) const {
    const T* y = row(p);
    const T* normal = normal_ + p * width_;
    Lanes<T> sum{}, moment{};
    lanes([&](std::int64_t n) {
      const Lanes<T> g = load<T>(y + n) > 0 ? load<T>(gradient + n) : Lanes<T>{};
      const Lanes<T> value = load<T>(normal + n), scaled = g * load<T>(scale + n);
      store(dscale + n, multiply_add(g, value, load<T>(dscale + n)));
      store(dshift + n, load<T>(dshift + n) + g);
      sum += scaled;
      moment = multiply_add(scaled, value, moment);
      store(gradient + n, scaled);
    });
    const T mean = total(sum) / static_cast<T>(width_);
    const T slant = total(moment) / static_cast<T>(width_);
    lanes([&](std::int64_t n) {
      const Lanes<T> rest = load<T>(gradient + n) - mean - load<T>(normal + n) * slant;
      store(gradient + n, rest * slope_[p]);
    });
  }

 private:
  template <class F>
  void lanes(const F& f) const {
    for (std::int64_t n = 0; n < width_; n += kWidth<T>) f(n);
  }

  std::int64_t width_;
  T* normal_;  // [rows, width], norm(x)
  T* slope_;   // [rows], 1 / sqrt(var x + eps)
  T* result_;  // [rows, width]
};

}  // namespace
}  // namespace equiframe::kernels::inline nn
