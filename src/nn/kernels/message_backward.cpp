#include "nn/kernels/message_edges.h"

namespace equiframe::kernels::inline nn {
namespace {

/// What is cheap is computed again (the first hidden layer of an edge), what cost a product is read
/// from the tape.
template <class T>
class MessageBackward {
 public:
  MessageBackward(const MessageShape& shape, const MessageWeights<T>& w,
                  const MessageInput<T>& input, const MessageGradients<T>& gradients)
      : s_(shape),
        input_(input),
        g_(gradients),
        flips_(shape, input.signs),
        hp_(padded(shape.hidden)) {
    pack_weights(w);
    take_gradients();
    const std::int64_t nodes = items_per_block(s_) * s_.nodes, rows = nodes * s_.flips;
    const auto d = s_.components, h = s_.hidden, c = s_.width;
    h_ = scratch_.take_several(d, nodes, c / d), d_h_ = scratch_.take_several(d, nodes, c / d);
    parts_ = scratch_.take_several(d, nodes, h);
    d_out_ = scratch_.take(nodes, s_.outputs());
    active_ = scratch_.take(rows, h), slope_ = scratch_.take(rows, h);
    d_hidden_ = scratch_.take(rows, h), d_sum_ = scratch_.take(rows, h);
    d_received_ = scratch_.take(rows, h), d_sent_ = scratch_.take(rows, h);
    first_ = scratch_.take(kBackwardEdgeRows, h),
    first_slope_ = scratch_.take(kBackwardEdgeRows, h);
    d_second_ = scratch_.take(kBackwardEdgeRows, h), d_first_ = scratch_.take(kBackwardEdgeRows, h);
    features_ = scratch_.take(kBackwardEdgeRows, s_.feature);
  }

  void run() {
    const std::int64_t step = items_per_block(s_);
    for (std::int64_t item = 0; item < s_.items; item += step)
      block(item, std::min(step, s_.items - item));
    give_weights();
  }

 private:
  void pack_weights(const MessageWeights<T>& w) {
    const auto c = s_.width, h = s_.hidden, e = s_.feature, d = s_.components, n = c / d;
    receiver_ = scratch_.take_several(d, h, n), sender_ = scratch_.take_several(d, h, n);
    node_h_ = scratch_.take_several(d, h, n);
    for (std::int64_t k = 0; k < d; ++k) {
      const auto at = static_cast<std::size_t>(k);
      pack(w.edge1, {2 * c + e, k, d}, h, n, receiver_[at]);
      pack(w.edge1, {2 * c + e, c + k, d}, h, n, sender_[at]);
      pack(w.node1, {c + h, k, d}, h, n, node_h_[at]);
    }
    feature_ = scratch_.take(e, h), edge2_ = scratch_.take(h, h);
    node_sum_ = scratch_.take(h, h), node2_ = scratch_.take(s_.outputs(), h);
    pack_transposed(w.edge1, {2 * c + e, 2 * c}, h, e, feature_);
    pack(w.edge2, {h}, h, h, edge2_);
    pack(w.node1, {c + h, c}, h, h, node_sum_);
    pack(w.node2, {h}, s_.outputs(), h, node2_);
    if (!s_.tail) return;
    tail_h_ = scratch_.take_several(d, h, n), tail_ = scratch_.take(h, h);
    for (std::int64_t k = 0; k < d; ++k)
      pack(w.tail, {c + h, k, d}, h, n, tail_h_[static_cast<std::size_t>(k)]);
    pack(w.tail, {c + h, c}, h, h, tail_);
  }

  void take_gradients() {
    const auto c = s_.width, h = s_.hidden, d = s_.components, n = c / d;
    d_receiver_ = scratch_.take_several(d, h, n), d_sender_ = scratch_.take_several(d, h, n);
    d_node_h_ = scratch_.take_several(d, h, n);
    d_feature_ = scratch_.take(s_.feature, h), d_edge2_ = scratch_.take(h, h);
    d_node_sum_ = scratch_.take(h, h), d_node2_ = scratch_.take(s_.outputs(), h);
    for (Rows<T>& bias : d_bias_) bias = scratch_.take(1, std::max(s_.outputs(), h));
    if (s_.tail) d_tail_h_ = scratch_.take_several(d, h, n), d_tail_ = scratch_.take(h, h);
  }

  Rows<T> part(TapePart which) const { return {tape_ + which * rows_ * hp_, hp_}; }

  void block(std::int64_t item, std::int64_t items) {
    const std::int64_t first = item * s_.nodes, nodes = items * s_.nodes;
    const std::int64_t c = s_.width, d = s_.components, n = c / d;
    const std::int64_t rows = rows_ = nodes * s_.flips;
    tape_ = const_cast<T*>(g_.node_tape) + first * s_.flips * tape_parts(s_) * hp_;  // only read
    for (std::int64_t k = 0; k < d; ++k)
      pack(input_.h + first * c, {c, k, d}, nodes, n, h_[static_cast<std::size_t>(k)]);
    const std::int64_t out = s_.outputs();
    pack(g_.h + first * out, {out}, nodes, out, d_out_);
    recall_active(rows, part(s_.tail ? kTailHidden : kNodeHidden));
    take_average(items);
    if (s_.tail) tail(items);
    node_map(items);
    const auto bytes = sizeof(T) * static_cast<std::size_t>(rows * hp_);
    std::memset(d_received_.data, 0, bytes);
    std::memset(d_sent_.data, 0, bytes);
    const std::int64_t edges = rows * s_.degree;
    for (std::int64_t e = 0; e < edges; e += kBackwardEdgeRows)
      edge_rows(first, e, std::min(kBackwardEdgeRows, edges - e));
    add_rows(d_received_, rows, s_.hidden, d_bias_[0].data);
    pull_input(items, d_received_, receiver_, d_receiver_);
    pull_input(items, d_sent_, sender_, d_sender_);
    give_input(first, nodes);
  }

  void recall_active(std::int64_t rows, Rows<T> hidden) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const T* z = hidden.at(i);
      T *active = active_.at(i), *slope = slope_.at(i);
      for_lanes<T>(s_.hidden, [=](std::int64_t k) {
        const Sloped<T> act = silu_with_slope<T>(load(z + k));
        store(active + k, act.value);
        store(slope + k, act.slope);
      });
    }
  }

  /// Sets d_hidden_, the gradient of the last activation, and the residual's d_h_.
  void take_average(std::int64_t items) {
    const std::int64_t nodes = items * s_.nodes, d = s_.components, n = s_.outputs() / d;
    const T scale = T(1) / static_cast<T>(s_.flips);
    gather(flips_, items, s_.nodes, active_, scale, s_.hidden, parts_);
    for (std::int64_t a = 0; a < d; ++a) {
      const auto k = static_cast<std::size_t>(a);
      const Left<T> transposed{d_out_.data + a, d, d_out_.row};
      multiply<Start::kSelf>(n, s_.hidden, nodes, transposed, read_only(parts_[k]),
                             Rows<T>{d_node2_.at(a), d * hp_});
      average_gradient(a, nodes);
      const Left<T> rows{d_out_.data + a, d_out_.row, d};
      multiply<Start::kZero>(nodes, s_.hidden, n, rows, Rows<const T>{node2_.at(a), d * hp_},
                             parts_[k]);
      for (std::int64_t node = 0; node < nodes; ++node)
        for_lanes<T>(s_.hidden, [&](std::int64_t l) {
          store(parts_[k].at(node) + l, scale * load(parts_[k].at(node) + l));
        });
    }
    spread<T>(flips_, items, s_.nodes, parts_, nullptr, s_.hidden, d_hidden_);
  }

  /// Component a of what the average owes to its residual and to its bias.
  void average_gradient(std::int64_t a, std::int64_t nodes) {
    const std::int64_t d = s_.components, n = s_.outputs() / d;
    const T mean = flips_.mean(a);
    for (std::int64_t node = 0; node < nodes; ++node) {
      const T* from = d_out_.at(node) + a;
      T* to = d_h_[static_cast<std::size_t>(a)].at(node);
      for (std::int64_t i = 0; i < s_.width / d; ++i) to[i] = s_.out == 0 ? from[i * d] : T(0);
      for (std::int64_t i = 0; i < n; ++i) d_bias_[3].data[i * d + a] += mean * from[i * d];
    }
  }

  /// d_hidden_ becomes the gradient before the activation whose slope was recalled.
  void through_activation(std::int64_t rows) {
    for (std::int64_t i = 0; i < rows; ++i) {
      T* d = d_hidden_.at(i);
      const T* slope = slope_.at(i);
      for_lanes<T>(s_.hidden, [=](std::int64_t k) { store(d + k, load(d + k) * load(slope + k)); });
    }
  }

  /// From the gradient of the tail's activation to that of the node map's.
  void tail(std::int64_t items) {
    const std::int64_t rows = items * s_.nodes * s_.flips, h = s_.hidden;
    through_activation(rows);
    recall_active(rows, part(kNodeHidden));
    multiply<Start::kSelf>(h, h, rows, d_hidden_.left_transposed(), read_only(active_), d_tail_);
    add_rows(d_hidden_, rows, h, d_bias_[4].data);
    pull_input(items, d_hidden_, tail_h_, d_tail_h_);
    multiply<Start::kZero>(rows, h, h, d_hidden_.left(), read_only(tail_), d_sum_);
    std::swap(d_hidden_, d_sum_);
  }

  void node_map(std::int64_t items) {
    const std::int64_t rows = items * s_.nodes * s_.flips, h = s_.hidden;
    through_activation(rows);
    multiply<Start::kSelf>(h, h, rows, d_hidden_.left_transposed(), read_only(part(kSum)),
                           d_node_sum_);
    add_rows(d_hidden_, rows, h, d_bias_[2].data);
    multiply<Start::kZero>(rows, h, h, d_hidden_.left(), read_only(node_sum_), d_sum_);
    pull_input(items, d_hidden_, node_h_, d_node_h_);
  }

  /// The gradient `d` of W S_k h for all copies, taken back to W and h.
  void pull_input(std::int64_t items, Rows<T> d, const std::vector<Rows<T>>& weights,
                  const std::vector<Rows<T>>& d_weights) {
    const std::int64_t nodes = items * s_.nodes, n = s_.width / s_.components;
    gather(flips_, items, s_.nodes, d, T(1), s_.hidden, parts_);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      multiply<Start::kSelf>(s_.hidden, n, nodes, parts_[k].left_transposed(), read_only(h_[k]),
                             d_weights[k]);
      multiply<Start::kSelf>(nodes, n, s_.hidden, parts_[k].left(), read_only(weights[k]), d_h_[k]);
    }
  }

  void give_input(std::int64_t first, std::int64_t nodes) {
    const std::int64_t d = s_.components, n = s_.width / d;
    for (std::int64_t a = 0; a < d; ++a)
      for (std::int64_t node = 0; node < nodes; ++node) {
        T* to = g_.input + (first + node) * s_.width + a;
        const T* from = d_h_[static_cast<std::size_t>(a)].at(node);
        for (std::int64_t i = 0; i < n; ++i) to[i * d] = from[i];
      }
  }

  void edge_rows(std::int64_t first, std::int64_t e, std::int64_t count) {
    const std::int64_t slot = first * s_.flips * s_.degree + e, source = first * s_.degree;
    with_feature_count(s_.feature, [&]<int kFeatures>(std::integral_constant<int, kFeatures>) {
      SlotWalk walk(s_, e);
      for (std::int64_t r = 0; r < count; ++r, walk.next())
        edge_slopes<kFeatures>(walk, source + walk.source(), slot + r, r);
    });
    multiply<Start::kSelf>(s_.hidden, s_.hidden, count, d_second_.left_transposed(),
                           read_only(first_), d_edge2_);
    add_rows(d_second_, count, s_.hidden, d_bias_[1].data);
    multiply<Start::kZero>(count, s_.hidden, s_.hidden, d_second_.left(), read_only(edge2_),
                           d_first_);
    SlotWalk walk(s_, e);
    for (std::int64_t r = 0; r < count; ++r, walk.next()) scatter(walk, source + walk.source(), r);
    multiply<Start::kSelf>(s_.feature, s_.hidden, count, features_.left_transposed(),
                           read_only(d_first_), d_feature_);
  }

  /// Sets row r of `first_`, `first_slope_` and of `d_second_`, the gradient of W2 a + b2.
  template <int kFeatures>
  void edge_slopes(const SlotWalk& walk, std::int64_t source, std::int64_t slot, std::int64_t r) {
    const std::int64_t j = input_.neighbors[source];
    if (j < 0) {
      const auto bytes = sizeof(T) * static_cast<std::size_t>(hp_);
      std::memset(first_.at(r), 0, bytes);
      std::memset(d_second_.at(r), 0, bytes);
      return;
    }
    std::copy_n(input_.edge + source * s_.feature, s_.feature, features_.at(r));
    const T* second_slope = g_.edge_tape + slot * hp_;
    const T* d_sum = d_sum_.at(walk.node());
    const T* d_message = message_gradient(slot);
    const EdgeSum<kFeatures, T> z{part(kReceiver).at(walk.node()),
                                  part(kSender).at(walk.base() + j),
                                  input_.edge + source * s_.feature, feature_, s_.feature};
    T *first = first_.at(r), *first_slope = first_slope_.at(r), *d_second = d_second_.at(r);
    for_lanes<T>(s_.hidden, [=](std::int64_t c) {
      const Sloped<T> act = silu_with_slope<T>(z.at(c));
      store(first + c, act.value);
      store(first_slope + c, act.slope);
      Lanes<T> d = load(d_sum + c);
      if (d_message != nullptr) d += load(d_message + c);
      store(d_second + c, d * load(second_slope + c));
    });
  }

  /// The row of the messages' own gradient, padded; null if there is none.
  const T* message_gradient(std::int64_t slot) {
    if (g_.messages == nullptr) return nullptr;
    T* row = d_first_.at(0);  // free until the product that sets it
    std::memcpy(row, g_.messages + slot * s_.hidden,
                sizeof(T) * static_cast<std::size_t>(s_.hidden));
    return row;
  }

  /// Hands row r of the gradient behind the first activation to both ends and to the features.
  void scatter(const SlotWalk& walk, std::int64_t source, std::int64_t r) {
    const std::int64_t j = input_.neighbors[source];
    T* d_feature = g_.edge == nullptr ? nullptr : g_.edge + source * s_.feature;
    if (d_feature != nullptr && walk.first_copy()) std::fill_n(d_feature, s_.feature, T(0));
    if (j < 0) return;
    T* received = d_received_.at(walk.node());
    T* sent = d_sent_.at(walk.base() + j);
    T* d = d_first_.at(r);
    const T* slope = first_slope_.at(r);
    for_lanes<T>(s_.hidden, [=](std::int64_t c) {
      const Lanes<T> dz = load(d + c) * load(slope + c);
      store(d + c, dz);
      store(received + c, load(received + c) + dz);
      store(sent + c, load(sent + c) + dz);
    });
    if (d_feature == nullptr) return;
    for (std::int64_t f = 0; f < s_.feature; ++f) d_feature[f] += along(d, feature_.at(f));
  }

  /// The inner product of two padded rows of H numbers.
  T along(const T* a, const T* b) const {
    Lanes<T> sum{};
    for_lanes<T>(s_.hidden,
                 [&](std::int64_t c) { sum = multiply_add(load(a + c), load(b + c), sum); });
    return total(sum);
  }

  void give_weights() {
    const auto c = s_.width, h = s_.hidden, e = s_.feature, d = s_.components, n = c / d;
    const MessageWeightGradients<T>& to = g_.weights;
    for (std::int64_t k = 0; k < d; ++k) {
      const auto at = static_cast<std::size_t>(k);
      unpack_add(d_receiver_[at], h, n, to.edge1, {2 * c + e, k, d});
      unpack_add(d_sender_[at], h, n, to.edge1, {2 * c + e, c + k, d});
      unpack_add(d_node_h_[at], h, n, to.node1, {c + h, k, d});
    }
    for (std::int64_t o = 0; o < h; ++o)
      for (std::int64_t f = 0; f < e; ++f)
        to.edge1[o * (2 * c + e) + 2 * c + f] += d_feature_.at(f)[o];
    unpack_add(d_edge2_, h, h, to.edge2, {h});
    unpack_add(d_node_sum_, h, h, to.node1, {c + h, c});
    unpack_add(d_node2_, s_.outputs(), h, to.node2, {h});
    unpack_add(d_bias_[0], 1, h, to.edge1_bias, {h});
    unpack_add(d_bias_[1], 1, h, to.edge2_bias, {h});
    unpack_add(d_bias_[2], 1, h, to.node1_bias, {h});
    unpack_add(d_bias_[3], 1, s_.outputs(), to.node2_bias, {s_.outputs()});
    if (!s_.tail) return;
    for (std::int64_t k = 0; k < d; ++k)
      unpack_add(d_tail_h_[static_cast<std::size_t>(k)], h, n, to.tail, {c + h, k, d});
    unpack_add(d_tail_, h, h, to.tail, {c + h, c});
    unpack_add(d_bias_[4], 1, h, to.tail_bias, {h});
  }

  MessageShape s_;
  MessageInput<T> input_;
  MessageGradients<T> g_;
  Flips<T> flips_;
  std::int64_t hp_;
  Scratch<T> scratch_;
  T* tape_ = nullptr;
  std::int64_t rows_ = 0;  // of the block under way
  std::vector<Rows<T>> receiver_, sender_, node_h_, d_receiver_, d_sender_, d_node_h_;
  std::vector<Rows<T>> tail_h_, d_tail_h_, h_, d_h_, parts_;
  Rows<T> feature_, edge2_, node_sum_, node2_, d_feature_, d_edge2_, d_node_sum_, d_node2_;
  Rows<T> tail_, d_tail_, d_bias_[5];
  Rows<T> d_out_, active_, slope_, d_hidden_, d_sum_, d_received_, d_sent_;
  Rows<T> first_, first_slope_, d_second_, d_first_, features_;
};

template <class T>
void backward(const MessageShape& shape, const MessageWeights<T>& weights,
              const MessageInput<T>& input, const MessageGradients<T>& gradients) {
  MessageBackward<T>(shape, weights, input, gradients).run();
}

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(MessageBackwardKernels, {{&backward<float>}, {&backward<double>}});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

template <class T>
void message_backward(const MessageShape& shape, const MessageWeights<T>& weights,
                      const MessageInput<T>& input, const MessageGradients<T>& gradients) {
  Table<MessageBackwardKernels>::chosen().of<T>().backward(shape, weights, input, gradients);
}

template void message_backward(const MessageShape&, const MessageWeights<float>&,
                               const MessageInput<float>&, const MessageGradients<float>&);
template void message_backward(const MessageShape&, const MessageWeights<double>&,
                               const MessageInput<double>&, const MessageGradients<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
