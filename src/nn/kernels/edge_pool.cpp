#include "nn/kernels/edge_pool.h"

#include <algorithm>

#include "simd/pack.h"

namespace equiframe::kernels::inline nn {
namespace {

/// Edge rows in flight. The backward pass adds up the gradient of a whole matrix with each batch of
/// rows, so that it wants more of them.
constexpr std::int64_t kEdgeRows = 48, kBackwardEdgeRows = 144;

/// v_ij = P_j + Q_i or W leaky(P_j + Q_i) of about `rows` edges in flight.
template <class T>
class EdgeValues {
 public:
  EdgeValues(const EdgeShape& shape, const EdgeInput<T>& input, std::int64_t rows)
      : shape_(shape),
        input_(input),
        block_(std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, shape.degree))) {
    const std::int64_t most = block_ * shape.degree;
    active_ = scratch_.take(most, shape.hidden);
    if (input.weight == nullptr) {
      values_ = active_;
      return;
    }
    values_ = scratch_.take(most, shape.width);
    transposed_ = scratch_.take(shape.hidden, shape.width);
    pack_transposed(input.weight, {shape.hidden}, shape.width, shape.hidden, transposed_);
  }

  /// f(first node, nodes) with `values` of the block's edges.
  template <class F>
  void for_blocks(const F& f) {
    for (std::int64_t first = 0; first < shape_.nodes; first += block_) {
      const std::int64_t nodes = std::min(block_, shape_.nodes - first);
      fill(first, nodes);
      f(first, nodes);
    }
  }

  /// [edges of the block, C], node after node.
  Rows<T> values() const { return values_; }

  /// With gradients of the values in their place: the gradients of P_j + Q_i, [rows, H].
  Rows<T> backward(std::int64_t rows) {
    if (input_.weight == nullptr) return values_;
    prepare_backward();
    multiply<Start::kSelf>(shape_.width, shape_.hidden, rows, values_.left_transposed(),
                           read_only(active_), d_weight_);
    multiply<Start::kZero>(rows, shape_.hidden, shape_.width, values_.left(), read_only(weight_),
                           d_active_);
    for (std::int64_t r = 0; r < rows; ++r)
      for_lanes<T>(shape_.hidden, [&](std::int64_t c) {
        const Lanes<T> d = load(d_active_.at(r) + c);
        store(d_active_.at(r) + c, load(active_.at(r) + c) > 0 ? d : d * input_.slope);
      });
    return d_active_;
  }

  void add_weight_gradient(T* gradient) const {
    if (d_weight_.data != nullptr)
      unpack_add(d_weight_, shape_.width, shape_.hidden, gradient, {shape_.hidden});
  }

 private:
  void fill(std::int64_t first, std::int64_t nodes) {
    const T slope = input_.weight == nullptr ? T(1) : input_.slope;
    for (std::int64_t n = 0; n < nodes; ++n) {
      const T* receiver = input_.receiver + (first + n) * shape_.hidden;
      const std::int64_t* neighbors = input_.neighbors + (first + n) * shape_.degree;
      for (std::int64_t d = 0; d < shape_.degree; ++d) {
        const T* sender = input_.sender + neighbors[d] * shape_.hidden;
        T* to = active_.at(n * shape_.degree + d);
        for_lanes<T>(shape_.hidden, [&](std::int64_t c) {
          const Lanes<T> sum = load(sender + c) + load(receiver + c);
          store(to + c, sum > 0 ? sum : sum * slope);
        });
      }
    }
    if (input_.weight != nullptr)
      multiply<Start::kZero>(nodes * shape_.degree, shape_.width, shape_.hidden, active_.left(),
                             read_only(transposed_), values_);
  }

  void prepare_backward() {
    if (d_weight_.data != nullptr) return;
    d_weight_ = scratch_.take(shape_.width, shape_.hidden);
    weight_ = scratch_.take(shape_.width, shape_.hidden);
    d_active_ = scratch_.take(block_ * shape_.degree, shape_.hidden);
    pack(input_.weight, {shape_.hidden}, shape_.width, shape_.hidden, weight_);
  }

  const EdgeShape& shape_;
  const EdgeInput<T>& input_;
  std::int64_t block_;  // nodes at a time
  Scratch<T> scratch_;
  Rows<T> active_{}, values_{};  // leaky(P_j + Q_i), v
  Rows<T> transposed_{};         // W^T
  Rows<T> weight_{}, d_weight_{}, d_active_{};
};

template <class T>
void edge_sums_here(const EdgeShape& shape, const EdgeInput<T>& input, const T* pivot, double* sum,
                    double* squares) {
  EdgeValues<T> edges(shape, input, kEdgeRows);
  Scratch<T> scratch;
  const Rows<T> sums = scratch.take(2, shape.width);
  edges.for_blocks([&](std::int64_t, std::int64_t nodes) {
    const std::int64_t rows = nodes * shape.degree;
    for_lanes<T>(shape.width, [&](std::int64_t c) {
      const Lanes<T> p = load(pivot + c);
      Lanes<T> first{}, second{};
      for (std::int64_t r = 0; r < rows; ++r) {
        const Lanes<T> x = load(edges.values().at(r) + c) - p;
        first += x;
        second = multiply_add(x, x, second);
      }
      store(sums.at(0) + c, first);
      store(sums.at(1) + c, second);
    });
    for (std::int64_t c = 0; c < shape.width; ++c) {
      sum[c] += static_cast<double>(sums.at(0)[c]);
      squares[c] += static_cast<double>(sums.at(1)[c]);
    }
  });
}

/// f(node, its rows of values) for the nodes of all blocks.
template <class T, class F>
void for_nodes(EdgeValues<T>& edges, const EdgeShape& shape, const F& f) {
  edges.for_blocks([&](std::int64_t first, std::int64_t nodes) {
    for (std::int64_t n = 0; n < nodes; ++n)
      f(first + n, Rows<T>{edges.values().at(n * shape.degree), edges.values().row});
  });
}

template <class T>
void edge_max_here(const EdgeShape& shape, const EdgeInput<T>& input, T* largest, T* place) {
  using V = Lanes<T>;
  EdgeValues<T> edges(shape, input, kEdgeRows);
  for_nodes(edges, shape, [&](std::int64_t node, Rows<T> v) {
    for_lanes<T>(shape.width, [&](std::int64_t c) {
      V best = load(v.at(0) + c), where{};
      for (std::int64_t d = 1; d < shape.degree; ++d) {
        const V x = load(v.at(d) + c);
        where = x > best ? splat<V>(static_cast<T>(d)) : where;
        best = x > best ? x : best;
      }
      store(largest + node * shape.width + c, best);
      store(place + node * shape.width + c, where);
    });
  });
}

template <class T>
void edge_mean_here(const EdgeShape& shape, const EdgeInput<T>& input, const Activation<T>& f,
                    const EdgeMeans<T>& means) {
  using V = Lanes<T>;
  EdgeValues<T> edges(shape, input, kEdgeRows);
  const V one = splat<V>(1), slope = splat<V>(f.slope);
  const T share = T(1) / static_cast<T>(shape.degree);
  for_nodes(edges, shape, [&](std::int64_t node, Rows<T> v) {
    for_lanes<T>(shape.width, [&](std::int64_t c) {
      const V scale = load(f.scale + c), shift = load(f.shift + c);
      V slopes{}, values{};
      for (std::int64_t d = 0; d < shape.degree; ++d) {
        const V x = load(v.at(d) + c);
        const V m = multiply_add(x, scale, shift) > 0 ? one : slope;
        slopes += m;
        values = multiply_add(m, x, values);
      }
      slopes = slopes * share;
      values = values * share;
      const std::int64_t at = node * shape.width + c;
      store(means.mean + at, multiply_add(values, scale, slopes * shift));
      if (means.slope == nullptr) return;
      store(means.slope + at, slopes);
      store(means.value + at, values);
    });
  });
}

/// Values of edges turned into their gradients, node by node.
template <class T>
class EdgeSlopes {
 public:
  EdgeSlopes(const EdgeShape& shape, const EdgeGradients<T>& g) : shape_(shape), g_(g) {}

  void run(std::int64_t node, Rows<T> v) const {
    if (g_.local == nullptr)
      each(node, v, [](const Channel&, V, std::int64_t) { return V{}; });
    else if (g_.place != nullptr)
      each(node, v, [](const Channel& at, V, std::int64_t d) {
        return at.place == splat<V>(static_cast<T>(d)) ? at.local : V{};
      });
    else
      each(node, v, [&](const Channel& at, V x, std::int64_t) {
        const V z =
            multiply_add(x, load(g_.activation.scale + at.c), load(g_.activation.shift + at.c));
        return z > 0 ? at.local : at.local * g_.activation.slope;
      });
  }

 private:
  using V = Lanes<T>;
  struct Channel {
    std::int64_t c;
    V local, place;
  };

  template <class Local>
  void each(std::int64_t node, Rows<T> v, const Local& local) const {
    const std::int64_t row = node * shape_.width;
    for_lanes<T>(shape_.width, [&](std::int64_t c) {
      const V offset = load(g_.offset + c), slant = load(g_.slant + c);
      const Channel at{c, g_.local == nullptr ? V{} : load(g_.local + row + c),
                       g_.place == nullptr ? V{} : load(g_.place + row + c)};
      for (std::int64_t d = 0; d < shape_.degree; ++d) {
        const V x = load(v.at(d) + c);
        store(v.at(d) + c, multiply_add(slant, x, offset) + local(at, x, d));
      }
    });
  }

  const EdgeShape& shape_;
  const EdgeGradients<T>& g_;
};

/// Rows of gradients of P_j + Q_i to P and Q.
template <class T>
void spread_gradients(const EdgeShape& shape, const EdgeInput<T>& input, const EdgeGradients<T>& g,
                      std::int64_t node, Rows<T> d_sum) {
  const std::int64_t* neighbors = input.neighbors + node * shape.degree;
  T* receiver = g.receiver + node * shape.hidden;
  for_lanes<T>(shape.hidden, [&](std::int64_t c) {
    Lanes<T> total{};
    for (std::int64_t d = 0; d < shape.degree; ++d) {
      const Lanes<T> x = load(d_sum.at(d) + c);
      T* sender = g.sender + neighbors[d] * shape.hidden + c;
      store(sender, load(sender) + x);
      total += x;
    }
    store(receiver + c, total);
  });
}

template <class T>
void edge_backward_here(const EdgeShape& shape, const EdgeInput<T>& input,
                        const EdgeGradients<T>& g) {
  EdgeValues<T> edges(shape, input, kBackwardEdgeRows);
  const EdgeSlopes<T> slopes(shape, g);
  edges.for_blocks([&](std::int64_t first, std::int64_t nodes) {
    for (std::int64_t n = 0; n < nodes; ++n)
      slopes.run(first + n, {edges.values().at(n * shape.degree), edges.values().row});
    const Rows<T> d_sum = edges.backward(nodes * shape.degree);
    for (std::int64_t n = 0; n < nodes; ++n)
      spread_gradients(shape, input, g, first + n, {d_sum.at(n * shape.degree), d_sum.row});
  });
  edges.add_weight_gradient(g.weight);
}

template <class T>
constexpr EdgePoolFunctions<T> kEdgePool{&edge_sums_here<T>, &edge_max_here<T>, &edge_mean_here<T>,
                                         &edge_backward_here<T>};

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(EdgePoolKernels, {kEdgePool<float>, kEdgePool<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void edge_sums(const EdgeShape& shape, const EdgeInput<T>& input, const T* pivot, double* sum,
               double* squares) {
  Table<EdgePoolKernels>::chosen().of<T>().edge_sums(shape, input, pivot, sum, squares);
}

template <class T>
void edge_max(const EdgeShape& shape, const EdgeInput<T>& input, T* largest, T* place) {
  Table<EdgePoolKernels>::chosen().of<T>().edge_max(shape, input, largest, place);
}

template <class T>
void edge_mean(const EdgeShape& shape, const EdgeInput<T>& input, const Activation<T>& activation,
               const EdgeMeans<T>& means) {
  Table<EdgePoolKernels>::chosen().of<T>().edge_mean(shape, input, activation, means);
}

template <class T>
void edge_backward(const EdgeShape& shape, const EdgeInput<T>& input,
                   const EdgeGradients<T>& gradients) {
  Table<EdgePoolKernels>::chosen().of<T>().edge_backward(shape, input, gradients);
}

template void edge_sums(const EdgeShape&, const EdgeInput<float>&, const float*, double*, double*);
template void edge_sums(const EdgeShape&, const EdgeInput<double>&, const double*, double*,
                        double*);
template void edge_max(const EdgeShape&, const EdgeInput<float>&, float*, float*);
template void edge_max(const EdgeShape&, const EdgeInput<double>&, double*, double*);
template void edge_mean(const EdgeShape&, const EdgeInput<float>&, const Activation<float>&,
                        const EdgeMeans<float>&);
template void edge_mean(const EdgeShape&, const EdgeInput<double>&, const Activation<double>&,
                        const EdgeMeans<double>&);
template void edge_backward(const EdgeShape&, const EdgeInput<float>&, const EdgeGradients<float>&);
template void edge_backward(const EdgeShape&, const EdgeInput<double>&,
                            const EdgeGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
