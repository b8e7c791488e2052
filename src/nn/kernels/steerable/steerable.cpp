#include "nn/kernels/steerable/steerable.h"

#include <algorithm>
#include <cmath>

#include "nn/kernels/steerable/edge_products.h"
#include "simd/workspace.h"

namespace equiframe::kernels::inline nn {
namespace {

/// The terms K_J from one degree to another: they share a radial network, and their K_J follow each
/// other in the angular basis. R_J of all J are one matrix [(J, i), o].
struct SteerablePath {
  SteerableTerm first;     ///< the term with the smallest J
  std::int64_t begin = 0;  ///< its number among all terms
  std::int64_t terms = 0;

  std::int64_t in() const { return 2 * first.in + 1; }
  std::int64_t out() const { return 2 * first.out + 1; }
};

template <class F>
void for_each_path(std::span<const SteerableTerm> terms, const F& f) {
  for (std::size_t n = 0; n < terms.size();) {
    std::size_t last = n + 1;
    while (last < terms.size() && terms[last].network == terms[n].network) ++last;
    f(SteerablePath{terms[n], static_cast<std::int64_t>(n), static_cast<std::int64_t>(last - n)});
    n = last;
  }
}

/// Sizes of arrays that hold what any path needs.
template <class T>
struct SteerableSizes {
  static constexpr std::int64_t kMostPairs = 60;  ///< to work on together

  std::int64_t in, out;              ///< a row of channels, in whole lanes
  std::int64_t terms = 0, size = 0;  ///< largest number of terms and 2 l + 1
  std::int64_t matrix;               ///< R of the largest path

  SteerableSizes(const SteerableShape& shape, std::span<const SteerableTerm> all)
      : in(whole_lanes<T>(shape.channels_in)), out(whole_lanes<T>(shape.channels_out)) {
    for_each_path(all, [&](const SteerablePath& path) {
      terms = std::max(terms, path.terms);
      size = std::max({size, path.in(), path.out()});
    });
    matrix = matrix_of(shape, terms);
  }

  /// R or its transpose with rows that follow each other, and room to write the last in lanes.
  static std::int64_t matrix_of(const SteerableShape& shape, std::int64_t terms) {
    return whole_lanes<T>(terms * shape.channels_in * shape.channels_out + kWidth<T> - 1);
  }
  /// So many that their R stay in the second cache, in whole tiles of rows.
  static std::int64_t pairs_in_flight(std::int64_t matrix) {
    constexpr std::int64_t kCache = 200'000 / std::int64_t{sizeof(T)};
    return std::clamp<std::int64_t>(kCache / matrix / 6 * 6, 6, kMostPairs);
  }
};

/// Messages of a range of pairs, for each degree [pairs, rows], what a path works on side by side.
template <class T>
struct MessagesByDegree {
  T* data;
  std::int64_t pairs, row;

  T* at(const SteerablePath& path, std::int64_t pair) const {
    return data + 2 * (pairs * path.first.row_out + pair * path.out()) * row;
  }
};

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

template <class T>
class SteerableForward {
 public:
  SteerableForward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                   const SteerableInput<T>& input, PairRange range)
      : shape_(shape),
        terms_(terms),
        input_(input),
        range_(range),
        sizes_(shape, terms),
        lift_(workspace_, shape, input, sizes_),
        z_(workspace_, shape.radial),
        weights_(workspace_, shape, sizes_, PathWeights<T>::Order::kPlain),
        r_(workspace_.take(sizes_.kMostPairs * sizes_.matrix)),
        messages_{workspace_.take((range.end - range.begin) * 2 * shape.rows_out * sizes_.out),
                  range.end - range.begin, sizes_.out} {}

  void run(T* messages) {
    for_each_path(terms_, [&](const SteerablePath& path) {
      lift_.choose(path);
      weights_.load(path, input_.weight);
      const std::int64_t most = sizes_.pairs_in_flight(sizes_.matrix_of(shape_, path.terms));
      for (std::int64_t first = range_.begin; first < range_.end; first += most)
        with_size(path.out(), [&]<int kSize>() {
          add_block<kSize>(path, {first, std::min(first + most, range_.end)});
        });
    });
    store_messages(messages);
  }

 private:
  template <int kSize>
  void add_block(const SteerablePath& path, PairRange block) {
    const std::int64_t pairs = block.end - block.begin;
    const std::int64_t matrix = sizes_.matrix_of(shape_, path.terms);
    z_.gather(input_.radial + (path.first.network * shape_.pairs + block.begin) * shape_.radial,
              pairs);
    set_radial_weights(z_, weights_, pairs, matrix, r_);
    for (std::int64_t p = 0; p < pairs; ++p)
      multiply_edge_rows<T, Onto::kResult, kSize>(
          shape_.channels_out, path.terms * shape_.channels_in, lift_.run(block.begin + p),
          {r_ + p * matrix, shape_.channels_out},
          {messages_.at(path, block.begin - range_.begin + p), messages_.row});
  }

  void store_messages(T* messages) const {
    for_each_path(terms_, [&](const SteerablePath& path) {
      for (std::int64_t pair = range_.begin; pair < range_.end; ++pair) {
        const T* from = messages_.at(path, pair - range_.begin);
        for (std::int64_t s = 0; s < 2 * path.out(); ++s) {
          const std::int64_t edge = s / path.out(), a = s % path.out();
          const std::int64_t row = (2 * pair + edge) * shape_.rows_out + path.first.row_out + a;
          std::copy_n(from + s * messages_.row, shape_.channels_out,
                      messages + row * shape_.channels_out);
        }
      }
    });
  }

  const SteerableShape& shape_;
  std::span<const SteerableTerm> terms_;
  const SteerableInput<T>& input_;
  PairRange range_;
  SteerableSizes<T> sizes_;
  Workspace<T> workspace_;
  Lift<T> lift_;
  ActiveRadial<T> z_;
  PathWeights<T> weights_;
  T* r_;  // [pairs, matrix]
  MessagesByDegree<T> messages_;
};

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

template <class T>
void forward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
             const SteerableInput<T>& input, PairRange range, T* messages) {
  SteerableForward<T>(shape, terms, input, range).run(messages);
}

template <class T>
void backward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
              const SteerableInput<T>& input, PairRange range,
              const SteerableGradients<T>& gradients) {
  SteerableBackward<T>(shape, terms, input, range, gradients).run();
}

template <class T>
constexpr SteerableFunctions<T> kSteerable{&forward<T>, &backward<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(SteerableKernels, {kSteerable<float>, kSteerable<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void steerable_forward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                       const SteerableInput<T>& input, PairRange range, T* messages) {
  Table<SteerableKernels>::chosen().of<T>().forward(shape, terms, input, range, messages);
}

template <class T>
void steerable_backward(const SteerableShape& shape, std::span<const SteerableTerm> terms,
                        const SteerableInput<T>& input, PairRange range,
                        const SteerableGradients<T>& gradients) {
  Table<SteerableKernels>::chosen().of<T>().backward(shape, terms, input, range, gradients);
}

template void steerable_forward(const SteerableShape&, std::span<const SteerableTerm>,
                                const SteerableInput<float>&, PairRange, float*);
template void steerable_forward(const SteerableShape&, std::span<const SteerableTerm>,
                                const SteerableInput<double>&, PairRange, double*);
template void steerable_backward(const SteerableShape&, std::span<const SteerableTerm>,
                                 const SteerableInput<float>&, PairRange,
                                 const SteerableGradients<float>&);
template void steerable_backward(const SteerableShape&, std::span<const SteerableTerm>,
                                 const SteerableInput<double>&, PairRange,
                                 const SteerableGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
