// What the angular part of kernels/steerable.h makes of the features of an edge's source.
#pragma once

#include "nn/kernels/steerable/steerable_edges.h"
#include "nn/kernels/steerable/steerable_paths.h"

namespace equiframe::kernels::inline nn {
namespace {

/// t [rows, size] = h^T [rows, kDepth] k [kDepth, size], h [kDepth, rows]; rows of t follow each
/// other and are written upward in whole lanes.
template <class T, int kDepth>
void multiply_lifted(std::int64_t rows, std::int64_t size, Strided<const T> h, const T* k, T* t) {
  using V = Lanes<T>;
  for (std::int64_t n = (size - 1) / kWidth<T> * kWidth<T>; n >= 0; n -= kWidth<T>) {
    V right[kDepth];
#pragma GCC unroll 11
    for (int b = 0; b < kDepth; ++b) right[b] = load<T>(k + b * size + n);
    for (std::int64_t i = 0; i < rows; ++i) {
      V sum = splat<V>(h.data[i]) * right[0];
#pragma GCC unroll 11
      for (int b = 1; b < kDepth; ++b)
        sum = multiply_add(splat<V>(h.data[b * h.row + i]), right[b], sum);
      store(t + i * size + n, sum);
    }
  }
}

/// One J of h [kRows, columns] += k [kRows, size] dt [size, columns], in whole lanes
template <class T, int kRows>
struct LiftedGradient {
  Lanes<T> sum[kRows];

  void load_from(Strided<T> h) {
#pragma GCC unroll 11
    for (int b = 0; b < kRows; ++b) sum[b] = load<T>(h.data + b * h.row);
  }
  void add(std::int64_t size, const T* k, Strided<const T> dt) {
    for (std::int64_t a = 0; a < size; ++a) {
      const Lanes<T> right = load<T>(dt.data + a * dt.row);
#pragma GCC unroll 11
      for (int b = 0; b < kRows; ++b)
        sum[b] = multiply_add(splat<Lanes<T>>(k[b * size + a]), right, sum[b]);
    }
  }
  void store_to(Strided<T> h) const {
#pragma GCC unroll 11
    for (int b = 0; b < kRows; ++b) store(h.data + b * h.row, sum[b]);
  }
};

/// t_e[(J, i), a] = sum_b K_J[a, b] h_src[b, i] for both edges of a pair.
template <class T>
class Lift {
 public:
  Lift(Workspace<T>& workspace, const SteerableShape& shape, const SteerableInput<T>& input,
       const SteerableSizes<T>& sizes)
      : shape_(shape),
        input_(input),
        row_(sizes.in),
        features_(workspace.take(shape.nodes * shape.rows_in * row_)),
        lifted_{workspace.take(sizes.terms * sizes.size * shape.channels_in),
                workspace.take(sizes.terms * sizes.size * shape.channels_in)} {
    for (std::int64_t r = 0; r < shape.nodes * shape.rows_in; ++r)
      std::copy_n(input.features + r * shape.channels_in, shape.channels_in, features_ + r * row_);
  }

  void choose(const SteerablePath& path) { path_ = path; }

  /// The K_J^T of an edge, one after the other: [J, b, a]
  const T* kernels(std::int64_t pair, std::int64_t edge) const {
    const std::int64_t size = path_.terms * path_.in() * path_.out();
    return input_.basis + 2 * shape_.pairs * path_.first.basis + (2 * pair + edge) * size;
  }
  /// Number of the source's first feature row.
  std::int64_t source(std::int64_t pair, std::int64_t edge) const {
    const std::int64_t node = (edge == 0 ? input_.second : input_.first)[pair];
    return node * shape_.rows_in + path_.first.row_in;
  }
  const T* feature(std::int64_t row) const { return features_ + row * row_; }

  EdgeFactors<T> run(std::int64_t pair) const {
    with_size(path_.in(), [&]<int kDepth>() {
      for (std::int64_t edge = 0; edge < 2; ++edge)
        for (std::int64_t j = 0; j < path_.terms; ++j)
          multiply_lifted<T, kDepth>(shape_.channels_in, path_.out(),
                                     {feature(source(pair, edge)), row_},
                                     kernels(pair, edge) + j * kDepth * path_.out(),
                                     lifted_[edge] + j * shape_.channels_in * path_.out());
    });
    return {{lifted_[0], lifted_[1]}};
  }

 private:
  const SteerableShape& shape_;
  const SteerableInput<T>& input_;
  SteerablePath path_;
  std::int64_t row_;
  T* features_;   // [nodes, rows_in, in]
  T* lifted_[2];  // [(J, i), a]
};

}  // namespace
}  // namespace equiframe::kernels::inline nn
