#include "nn/kernels/steerable/radial_trunk.h"

#include <algorithm>
#include <cmath>

#include "nn/kernels/steerable/products.h"
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

template <class T>
class RadialTrunk {
 public:
  RadialTrunk(const TrunkShape& shape, const T* parameters, const T* r)
      : shape_(shape),
        parameters_(parameters),
        r_(r),
        first_(workspace_, kRows, shape.width),
        second_(workspace_, kRows, shape.width),
        gradient_(workspace_.take(kRows * shape.width)),
        hidden_(workspace_.take(kRows * shape.width)),
        transposed_(workspace_.take(shape.width * shape.width)) {}

  void forward(T* z) {
    for_each_block([&](std::int64_t start, std::int64_t rows) {
      run(start, rows);
      std::copy_n(second_.row(0), rows * shape_.width, z + start * shape_.width);
    });
  }

  void backward(const TrunkGradients<T>& gradients) {
    for (std::int64_t k = 0; k < shape_.width; ++k)
      for (std::int64_t n = 0; n < shape_.width; ++n)
        transposed_[n * shape_.width + k] = weight(k)[n];
    for_each_block([&](std::int64_t start, std::int64_t rows) {
      run(start, rows);
      std::copy_n(gradients.z + start * shape_.width, rows * shape_.width, gradient_);
      add_second_layer(rows, gradients.parameters);
      add_first_layer(start, rows, gradients);
    });
  }

 private:
  static constexpr std::int64_t kRows = 48;
  enum Vector { kSlope, kOffset, kScale, kShift, kOffset2, kScale2, kShift2 };

  const T* vector(std::int64_t name) const { return parameters_ + name * shape_.width; }
  const T* weight(std::int64_t row) const { return vector(kTrunkVectors + row); }

  template <class F>
  void for_each_block(const F& f) const {
    for (std::int64_t start = 0; start < shape_.inputs; start += kRows)
      f(start, std::min(kRows, shape_.inputs - start));
  }

  void run(std::int64_t start, std::int64_t rows) {
    for (std::int64_t p = 0; p < rows; ++p) {
      for (std::int64_t n = 0; n < shape_.width; ++n) {
        first_.row(p)[n] = r_[start + p] * vector(kSlope)[n] + vector(kOffset)[n];
        second_.row(p)[n] = vector(kOffset2)[n];
      }
      first_.forward(p, vector(kScale), vector(kShift));
    }
    const Product product{[&](std::int64_t p, std::int64_t k) { return first_.row(p)[k]; },
                          [&](std::int64_t k) { return weight(k); },
                          [&](std::int64_t p) { return second_.row(p); }};
    multiply_steerable<T, Onto::kResult, 6, 2>(product, rows, shape_.width, shape_.width);
    for (std::int64_t p = 0; p < rows; ++p) second_.forward(p, vector(kScale2), vector(kShift2));
  }

  /// From the gradient of z in gradient_ to that of y in hidden_.
  void add_second_layer(std::int64_t rows, T* to) {
    const std::int64_t width = shape_.width;
    for (std::int64_t p = 0; p < rows; ++p) {
      T* gradient = gradient_ + p * width;
      second_.backward(p, vector(kScale2), gradient, to + kScale2 * width, to + kShift2 * width);
      for (std::int64_t n = 0; n < width; ++n) to[kOffset2 * width + n] += gradient[n];
    }
    const Product weights{[&](std::int64_t k, std::int64_t p) { return first_.row(p)[k]; },
                          [&](std::int64_t p) { return gradient_ + p * width; },
                          [&](std::int64_t k) { return to + (kTrunkVectors + k) * width; }};
    multiply_steerable<T, Onto::kResult, 6, 2>(weights, width, width, rows);
    const Product inputs{[&](std::int64_t p, std::int64_t n) { return gradient_[p * width + n]; },
                         [&](std::int64_t n) { return transposed_ + n * width; },
                         [&](std::int64_t p) { return hidden_ + p * width; }};
    multiply_steerable<T, Onto::kNothing, 6, 2>(inputs, rows, width, width);
  }

  void add_first_layer(std::int64_t start, std::int64_t rows, const TrunkGradients<T>& gradients) {
    const std::int64_t width = shape_.width;
    T* to = gradients.parameters;
    for (std::int64_t p = 0; p < rows; ++p) {
      T* gradient = hidden_ + p * width;
      first_.backward(p, vector(kScale), gradient, to + kScale * width, to + kShift * width);
      const T r = r_[start + p];
      T slope = 0;
      for (std::int64_t n = 0; n < width; ++n) {
        to[kSlope * width + n] += r * gradient[n];
        to[kOffset * width + n] += gradient[n];
        slope += gradient[n] * vector(kSlope)[n];
      }
      if (gradients.r != nullptr) gradients.r[start + p] = slope;
    }
  }

  const TrunkShape& shape_;
  const T* parameters_;
  const T* r_;
  Workspace<T> workspace_;
  NormRelu<T> first_, second_;
  T* gradient_;    // [rows, width]
  T* hidden_;      // [rows, width]
  T* transposed_;  // [width, width]: W^T
};

template <class T>
void forward(const TrunkShape& shape, const T* parameters, const T* r, T* z) {
  RadialTrunk<T>(shape, parameters, r).forward(z);
}

template <class T>
void backward(const TrunkShape& shape, const T* parameters, const T* r,
              const TrunkGradients<T>& gradients) {
  RadialTrunk<T>(shape, parameters, r).backward(gradients);
}

template <class T>
constexpr TrunkFunctions<T> kTrunk{&forward<T>, &backward<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(TrunkKernels, {kTrunk<float>, kTrunk<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void radial_trunk_forward(const TrunkShape& shape, const T* parameters, const T* r, T* z) {
  Table<TrunkKernels>::chosen().of<T>().forward(shape, parameters, r, z);
}

template <class T>
void radial_trunk_backward(const TrunkShape& shape, const T* parameters, const T* r,
                           const TrunkGradients<T>& gradients) {
  Table<TrunkKernels>::chosen().of<T>().backward(shape, parameters, r, gradients);
}

template void radial_trunk_forward(const TrunkShape&, const float*, const float*, float*);
template void radial_trunk_forward(const TrunkShape&, const double*, const double*, double*);
template void radial_trunk_backward(const TrunkShape&, const float*, const float*,
                                    const TrunkGradients<float>&);
template void radial_trunk_backward(const TrunkShape&, const double*, const double*,
                                    const TrunkGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
