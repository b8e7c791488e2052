// kernels/radial_trunk.h as compiled for the instruction set of the including source.
#pragma once

#include "nn/kernels/steerable/norm_relu.h"
#include "nn/kernels/steerable/radial_trunk.h"
#include "nn/kernels/steerable/steerable_products.h"

namespace equiframe::kernels::inline nn {
namespace {

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

}  // namespace
}  // namespace equiframe::kernels::inline nn
