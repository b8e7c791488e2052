// steerable_backward as compiled for the instruction set of the including source.
#pragma once

#include "nn/kernels/steerable/steerable_lift.h"
#include "nn/kernels/steerable/steerable_radial.h"

namespace equiframe::kernels::inline nn {
namespace {

/// With dm the gradient of the messages: dt = dm R^T, dR = t^T dm, dz = dR W^T, dW = z^T dR.
template <class T>
class SteerableBackward {
 public:
  SteerableBackward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                    const SteerableInput<T>& input, PairRange range,
                    const SteerableGradients<T>& gradients)
      : shape_(shape),
        terms_(terms),
        input_(input),
        range_(range),
        gradients_(gradients),
        sizes_(shape, terms),
        lift_(workspace_, shape, input, sizes_),
        z_(workspace_, shape.radial),
        weights_(workspace_, shape, sizes_, PathWeights<T>::Order::kPlain),
        transposed_(workspace_, shape, sizes_, PathWeights<T>::Order::kTransposed),
        dweights_(workspace_, shape, sizes_, PathWeights<T>::Order::kPlain),
        r_(workspace_.take(sizes_.kMostPairs * sizes_.matrix)),
        dlifted_(workspace_.take(2 * sizes_.size * (sizes_.terms * sizes_.in + kWidth<T>))),
        dfeatures_(workspace_.take(shape.nodes * shape.rows_in * sizes_.in)),
        messages_{workspace_.take((range.end - range.begin) * 2 * shape.rows_out * sizes_.out),
                  range.end - range.begin, sizes_.out},
        factors_{
            workspace_.take((range.end - range.begin) * 2 * shape.rows_out * shape.channels_out),
            range.end - range.begin, shape.channels_out} {}

  void run() {
    load_messages();
    for_each_path(terms_, [&](const SteerablePath& path) {
      lift_.choose(path);
      weights_.load(path, input_.weight);
      transposed_.load(path, input_.weight);
      dweights_.clear(path);
      const std::int64_t most = sizes_.pairs_in_flight(matrix_of(path));
      for (std::int64_t first = range_.begin; first < range_.end; first += most)
        with_size(path.out(), [&]<int kSize>() {
          add_block<kSize>(path, {first, std::min(first + most, range_.end)});
        });
      dweights_.add_to(gradients_.weight);
    });
    for (std::int64_t r = 0; r < shape_.nodes * shape_.rows_in; ++r)
      for (std::int64_t i = 0; i < shape_.channels_in; ++i)
        gradients_.features[r * shape_.channels_in + i] += dfeatures_[r * sizes_.in + i];
  }

 private:
  std::int64_t matrix_of(const SteerablePath& path) const {
    return sizes_.matrix_of(shape_, path.terms);
  }

  /// dm of all pairs, for each degree: messages_ [edge, a, o] and factors_ [edge, o, a]
  void load_messages() {
    std::int64_t loaded = 0;  // rows of messages
    for_each_path(terms_, [&](const SteerablePath& path) {
      if (path.first.row_out < loaded) return;
      loaded = path.first.row_out + path.out();
      for (std::int64_t pair = range_.begin; pair < range_.end; ++pair)
        for (std::int64_t s = 0; s < 2 * path.out(); ++s) load_message(path, pair, s);
    });
  }

  void load_message(const SteerablePath& path, std::int64_t pair, std::int64_t s) {
    const std::int64_t size = path.out(), out = shape_.channels_out, edge = s / size,
                       a = s - edge * size;
    const T* from =
        gradients_.messages + ((2 * pair + edge) * shape_.rows_out + path.first.row_out + a) * out;
    T* row = messages_.at(path, pair - range_.begin) + s * messages_.row;
    T* column = factors_.at(path, pair - range_.begin) + edge * size * out + a;
    for (std::int64_t o = 0; o < out; ++o) row[o] = column[o * size] = from[o];
  }

  template <int kSize>
  void add_block(const SteerablePath& path, PairRange block) {
    const std::int64_t pairs = block.end - block.begin, matrix = matrix_of(path);
    const std::int64_t in = path.terms * shape_.channels_in, out = shape_.channels_out;
    z_.gather(input_.radial + (path.first.network * shape_.pairs + block.begin) * shape_.radial,
              pairs);
    set_radial_weights(z_, transposed_, pairs, matrix, r_);
    for (std::int64_t p = 0; p < pairs; ++p) {
      T* r = r_ + p * matrix;
      const T* factors = factors_.at(path, block.begin - range_.begin + p);
      multiply_edge_rows<T, Onto::kNothing, kSize>(in, out,
                                                   EdgeFactors<T>{{factors, factors + kSize * out}},
                                                   {r, in}, {dlifted_, whole_lanes<T>(in)});
      add_source_gradients(path, block.begin + p);
      multiply_edge_outer<T, kSize>(
          in, out, lift_.run(block.begin + p),
          {messages_.at(path, block.begin - range_.begin + p), messages_.row}, {r, out});
    }
    add_radial_gradients(path, block);
  }

  /// Gradients of the sources' features and of K_J, from dt [(edge, a), (J, i)].
  void add_source_gradients(const SteerablePath& path, std::int64_t pair) {
    const std::int64_t row = whole_lanes<T>(path.terms * shape_.channels_in);
    for (std::int64_t edge = 0; edge < 2; ++edge) {
      const T* k = lift_.kernels(pair, edge);
      const T* dt = dlifted_ + edge * path.out() * row;
      T* dh = dfeatures_ + lift_.source(pair, edge) * sizes_.in;
      with_size(path.in(), [&]<int kRows>() {
        for (std::int64_t n = 0; n < shape_.channels_in; n += kWidth<T>) {
          LiftedGradient<T, kRows> gradient;
          gradient.load_from({dh + n, sizes_.in});
          for (std::int64_t j = 0; j < path.terms; ++j)
            gradient.add(path.out(), k + j * kRows * path.out(),
                         {dt + j * shape_.channels_in + n, row});
          gradient.store_to({dh + n, sizes_.in});
        }
      });
      if (gradients_.basis != nullptr) add_basis_gradient(path, pair, edge);
    }
  }

  void add_basis_gradient(const SteerablePath& path, std::int64_t pair, std::int64_t edge) {
    const std::int64_t in = path.in(), out = path.out();
    const std::int64_t row = whole_lanes<T>(path.terms * shape_.channels_in);
    T* dk = gradients_.basis + (lift_.kernels(pair, edge) - input_.basis);
    for (std::int64_t n = 0; n < path.terms * in * out; ++n) {
      const std::int64_t j = n / (in * out), b = n / out % in, a = n % out;
      const T* dt = dlifted_ + (edge * out + a) * row + j * shape_.channels_in;
      const T* h = lift_.feature(lift_.source(pair, edge) + b);
      for (std::int64_t i = 0; i < shape_.channels_in; ++i) dk[n] += dt[i] * h[i];
    }
  }

  /// Gradients of z and W, from dR.
  void add_radial_gradients(const SteerablePath& path, PairRange block) {
    const std::int64_t pairs = block.end - block.begin, matrix = matrix_of(path);
    T* dz = gradients_.radial + (path.first.network * shape_.pairs + block.begin) * shape_.radial;
    std::int64_t start = 0;
    const Product z{[&](std::int64_t p) { return r_ + p * matrix + start; },
                    [&](std::int64_t k) { return weights_.row(z_.column(k)) + start; },
                    [&](std::int64_t p, std::int64_t k, T value) {
                      dz[p * shape_.radial + z_.column(k)] += value;
                    }};
    constexpr std::int64_t kSlice = 96 * kWidth<T>;  // of rows, to stay in the first cache
    for (; start < matrix; start += kSlice)
      dot_products<T>(z, pairs, z_.count() - 1, std::min(kSlice, matrix - start));
    const Product weight{[&](std::int64_t k, std::int64_t p) { return z_.at(p)[k]; },
                         [&](std::int64_t p) { return r_ + p * matrix; },
                         [&](std::int64_t k) { return dweights_.row(z_.column(k)); }};
    multiply_steerable<T, Onto::kResult, 6, 2>(weight, z_.count(), matrix, pairs);
  }

  const SteerableShape& shape_;
  std::span<const SteerableTerm> terms_;
  const SteerableInput<T>& input_;
  PairRange range_;
  const SteerableGradients<T>& gradients_;
  SteerableSizes<T> sizes_;
  Workspace<T> workspace_;
  Lift<T> lift_;
  ActiveRadial<T> z_;
  PathWeights<T> weights_, transposed_, dweights_;
  T* r_;                          // [pairs, matrix]: R^T, then dR
  T* dlifted_;                    // [(edge, a), (J, i)]
  T* dfeatures_;                  // [nodes, rows_in, in]
  MessagesByDegree<T> messages_;  // [degree, pairs, edge, a, o]
  MessagesByDegree<T> factors_;   // [degree, pairs, edge, o, a]
};

}  // namespace
}  // namespace equiframe::kernels::inline nn
