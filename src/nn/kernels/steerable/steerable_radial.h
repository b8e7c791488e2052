// The radial part of kernels/steerable.h.
#pragma once

#include <cmath>

#include "nn/kernels/steerable/steerable_paths.h"
#include "nn/kernels/steerable/steerable_products.h"

namespace equiframe::kernels::inline nn {
namespace {

/// The numbers z of a block of pairs without those that are zero for all of them, and the constant
/// one last.
template <class T>
class ActiveRadial {
 public:
  ActiveRadial(Workspace<T>& workspace, std::int64_t radial)
      : radial_(radial),
        rows_(workspace.take(SteerableSizes<T>::kMostPairs * (radial + 1))),
        seen_(workspace.take(radial)),
        columns_(memory_.take(radial + 1)) {}

  void gather(const T* z, std::int64_t pairs) {
    std::fill_n(seen_, radial_, T(0));
    for (std::int64_t p = 0; p < pairs; ++p)
      for (std::int64_t c = 0; c < radial_; ++c) seen_[c] += std::abs(z[p * radial_ + c]);
    count_ = 0;
    for (std::int64_t c = 0; c < radial_; ++c)
      if (seen_[c] != 0) columns_[count_++] = c;
    columns_[count_++] = radial_;
    for (std::int64_t p = 0; p < pairs; ++p) {
      for (std::int64_t k = 0; k + 1 < count_; ++k) at(p)[k] = z[p * radial_ + columns_[k]];
      at(p)[count_ - 1] = 1;
    }
  }

  std::int64_t count() const { return count_; }
  std::int64_t column(std::int64_t k) const { return columns_[k]; }
  T* at(std::int64_t pair) const { return rows_ + pair * (radial_ + 1); }

 private:
  std::int64_t radial_;
  T* rows_;  // [pairs, radial + 1]
  T* seen_;  // [radial], sums of magnitudes
  Workspace<std::int64_t> memory_;
  std::int64_t* columns_;  // [count]
  std::int64_t count_ = 0;
};

/// The matrices W_J of a path, for each number of z one after the other: [radial + 1, (J, i), o]
/// or, transposed, [radial + 1, o, (J, i)]. Padding is zero, because it is multiplied too.
template <class T>
class PathWeights {
 public:
  enum class Order { kPlain, kTransposed };

  PathWeights(Workspace<T>& workspace, const SteerableShape& shape, const SteerableSizes<T>& sizes,
              Order order)
      : shape_(shape), order_(order), data_(workspace.take((shape.radial + 1) * sizes.matrix)) {}

  T* row(std::int64_t column) const { return data_ + column * matrix_; }

  void clear(const SteerablePath& path) {
    path_ = path;
    matrix_ = SteerableSizes<T>::matrix_of(shape_, path.terms);
    std::fill_n(data_, (shape_.radial + 1) * matrix_, T(0));
  }

  void load(const SteerablePath& path, const T* weight) {
    clear(path);
    const std::int64_t in = shape_.channels_in, out = shape_.channels_out;
    for_each_matrix([&](std::int64_t start, std::int64_t j, std::int64_t column) {
      const T* from = weight + start;
      if (order_ == Order::kPlain) {
        std::copy_n(from, in * out, row(column) + j * in * out);
        return;
      }
      for (std::int64_t o = 0; o < out; ++o)
        for (std::int64_t i = 0; i < in; ++i)
          row(column)[(o * path.terms + j) * in + i] = from[i * out + o];
    });
  }

  /// weight += these, if they are in plain order
  void add_to(T* weight) const {
    const std::int64_t size = shape_.channels_in * shape_.channels_out;
    for_each_matrix([&](std::int64_t start, std::int64_t j, std::int64_t column) {
      for (std::int64_t n = 0; n < size; ++n) weight[start + n] += row(column)[j * size + n];
    });
  }

 private:
  /// f(start of W_J[column] among all weights, j, column)
  template <class F>
  void for_each_matrix(const F& f) const {
    const std::int64_t size = shape_.channels_in * shape_.channels_out;
    for (std::int64_t j = 0; j < path_.terms; ++j)
      for (std::int64_t c = 0; c <= shape_.radial; ++c)
        f(((path_.begin + j) * (shape_.radial + 1) + c) * size, j, c);
  }

  const SteerableShape& shape_;
  Order order_;
  SteerablePath path_;
  std::int64_t matrix_ = 0;
  T* data_;
};

/// R [pairs, matrix] of a block.
template <class T>
void set_radial_weights(const ActiveRadial<T>& z, const PathWeights<T>& weights, std::int64_t pairs,
                        std::int64_t matrix, T* r) {
  const Product product{[&](std::int64_t p, std::int64_t k) { return z.at(p)[k]; },
                        [&](std::int64_t k) { return weights.row(z.column(k)); },
                        [&](std::int64_t p) { return r + p * matrix; }};
  multiply_steerable<T, Onto::kNothing, 6, 2>(product, pairs, matrix, z.count());
}

}  // namespace
}  // namespace equiframe::kernels::inline nn
