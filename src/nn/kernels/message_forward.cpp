#include "nn/kernels/message_edges.h"

namespace equiframe::kernels::inline nn {
namespace {

template <class T>
class MessageForward {
 public:
  MessageForward(const MessageShape& shape, const MessageWeights<T>& w,
                 const MessageInput<T>& input, const MessageOutput<T>& output)
      : s_(shape),
        input_(input),
        output_(output),
        flips_(shape, input.signs),
        hp_(padded(shape.hidden)) {
    pack_weights(w);
    const std::int64_t items = items_per_block(s_), nodes = items * s_.nodes;
    const auto d = s_.components, h = s_.hidden, part_width = s_.width / d;
    h_ = scratch_.take_several(d, nodes, part_width);
    parts_ = scratch_.take_several(d, nodes, h);
    results_ = scratch_.take_several(d, nodes, s_.outputs() / d);
    tape_ = scratch_.take(nodes * s_.flips * tape_parts(s_), h).data;
    active_ = scratch_.take(nodes * s_.flips, h);
    first_ = scratch_.take(kEdgeRows, h), second_ = scratch_.take(kEdgeRows, h);
    spare_ = scratch_.take(1, h);
  }

  void run() {
    const std::int64_t step = items_per_block(s_);
    for (std::int64_t item = 0; item < s_.items; item += step)
      block(item, std::min(step, s_.items - item));
  }

 private:
  void pack_weights(const MessageWeights<T>& w) {
    const auto c = s_.width, h = s_.hidden, e = s_.feature, d = s_.components, n = c / d;
    const auto out = s_.outputs();
    for (std::int64_t k = 0; k < d; ++k) {
      receiver_.push_back(scratch_.take(n, h));
      sender_.push_back(scratch_.take(n, h));
      node_h_.push_back(scratch_.take(n, h));
      node2_parts_.push_back(scratch_.take(h, out / d));
      pack_transposed(w.edge1, {2 * c + e, k, d}, h, n, receiver_.back());
      pack_transposed(w.edge1, {2 * c + e, c + k, d}, h, n, sender_.back());
      pack_transposed(w.node1, {c + h, k, d}, h, n, node_h_.back());
      pack_transposed(w.node2 + k * h, {d * h}, out / d, h, node2_parts_.back());
    }
    feature_ = scratch_.take(e, h), edge2_ = scratch_.take(h, h);
    node_sum_ = scratch_.take(h, h);
    pack_transposed(w.edge1, {2 * c + e, 2 * c}, h, e, feature_);
    pack_transposed(w.edge2, {h}, h, h, edge2_);
    pack_transposed(w.node1, {c + h, c}, h, h, node_sum_);
    for (Rows<T>& bias : bias_) bias = scratch_.take(1, std::max(out, h));
    pack(w.edge1_bias, {h}, 1, h, bias_[0]);
    pack(w.edge2_bias, {h}, 1, h, bias_[1]);
    pack(w.node1_bias, {h}, 1, h, bias_[2]);
    pack(w.node2_bias, {out}, 1, out, bias_[3]);
    if (s_.tail) pack_tail(w);
  }

  void pack_tail(const MessageWeights<T>& w) {
    const auto c = s_.width, h = s_.hidden, d = s_.components;
    for (std::int64_t k = 0; k < d; ++k) {
      tail_h_.push_back(scratch_.take(c / d, h));
      pack_transposed(w.tail, {c + h, k, d}, h, c / d, tail_h_.back());
    }
    tail_ = scratch_.take(h, h);
    pack_transposed(w.tail, {c + h, c}, h, h, tail_);
    pack(w.tail_bias, {h}, 1, h, bias_[4]);
  }

  Rows<T> part(TapePart which) const { return {tape_ + which * rows_ * hp_, hp_}; }

  void block(std::int64_t item, std::int64_t items) {
    const std::int64_t first = item * s_.nodes, nodes = items * s_.nodes;
    const std::int64_t rows = rows_ = nodes * s_.flips;
    if (output_.node_tape != nullptr)
      tape_ = output_.node_tape + first * s_.flips * tape_parts(s_) * hp_;
    for (std::int64_t k = 0; k < s_.components; ++k)
      pack(input_.h + first * s_.width, {s_.width, k, s_.components}, nodes,
           s_.width / s_.components, h_[static_cast<std::size_t>(k)]);
    map_input(items, receiver_, bias_[0].data, part(kReceiver));
    map_input(items, sender_, nullptr, part(kSender));
    map_input(items, node_h_, bias_[2].data, part(kNodeHidden));
    std::memset(part(kSum).data, 0, sizeof(T) * static_cast<std::size_t>(rows * hp_));
    const std::int64_t edges = rows * s_.degree;
    for (std::int64_t e = 0; e < edges; e += kEdgeRows)
      edge_rows(first, e, std::min(kEdgeRows, edges - e));
    node_map(rows, part(kSum), node_sum_, part(kNodeHidden));
    if (s_.tail) {
      map_input(items, tail_h_, bias_[4].data, part(kTailHidden));
      node_map(rows, active_, tail_, part(kTailHidden));
    }
    give_average(first, items);
  }

  /// W S_k h + bias for all copies k, from one product for each component of h.
  void map_input(std::int64_t items, const std::vector<Rows<T>>& weights, const T* bias,
                 Rows<T> to) {
    const std::int64_t nodes = items * s_.nodes;
    for (std::size_t k = 0; k < weights.size(); ++k)
      multiply<Start::kZero>(nodes, s_.hidden, s_.width / s_.components, h_[k].left(),
                             read_only(weights[k]), parts_[k]);
    spread(flips_, items, s_.nodes, parts_, bias, s_.hidden, to);
  }

  /// Edge slots e .. e + count of the block that starts at node `first` of the items.
  void edge_rows(std::int64_t first, std::int64_t e, std::int64_t count) {
    const std::int64_t slot = first * s_.flips * s_.degree + e, source = first * s_.degree;
    const Rows<T> second =
        output_.edge_tape == nullptr ? second_ : Rows<T>{output_.edge_tape + slot * hp_, hp_};
    with_feature_count(s_.feature, [&]<int kFeatures>(std::integral_constant<int, kFeatures>) {
      first_hidden<kFeatures>(source, e, count);
    });
    multiply<Start::kRow>(count, s_.hidden, s_.hidden, first_.left(), read_only(edge2_), second,
                          bias_[1].data);
    SlotWalk walk(s_, e);
    for (std::int64_t r = 0; r < count;) {  // runs of slots with one receiver
      const std::int64_t node = walk.node();
      Run run;
      run.sum = part(kSum).at(node);
      for (; r < count && walk.node() == node; ++r, walk.next()) {
        const bool present = input_.neighbors[source + walk.source()] >= 0;
        if (present) run.rows[run.count++] = second.at(r);
        if (output_.messages != nullptr)
          hand_out(present, second.at(r), output_.messages + (slot + r) * s_.hidden);
      }
      if (output_.edge_tape == nullptr)
        collect<false>(run);
      else
        collect<true>(run);
    }
  }

  /// Rows of W2 a + b2 that one node receives.
  struct Run {
    T* sum = nullptr;
    std::int64_t count = 0;
    T* rows[kEdgeRows];  // `count` of them
  };

  /// first_ = SiLU(A h_i + B h_j + E e_ij + b1) of the slots.
  template <int kFeatures>
  void first_hidden(std::int64_t source, std::int64_t e, std::int64_t count) const {
    SlotWalk walk(s_, e);
    for (std::int64_t r = 0; r < count; ++r, walk.next()) {
      const std::int64_t slot = source + walk.source(), j = input_.neighbors[slot];
      T* to = first_.at(r);
      if (j < 0) {
        std::memset(to, 0, sizeof(T) * static_cast<std::size_t>(hp_));
        continue;
      }
      const EdgeSum<kFeatures, T> z{part(kReceiver).at(walk.node()),
                                    part(kSender).at(walk.base() + j),
                                    input_.edge + slot * s_.feature, feature_, s_.feature};
      for_lanes<T>(s_.hidden, [=](std::int64_t c) { store(to + c, silu<T>(z.at(c))); });
    }
  }

  /// Adds SiLU(z) of the rows to the receiver's sum. If there is a tape, z is on it and gives way
  /// to SiLU'(z), which is all the backward pass wants of it.
  template <bool kTaped>
  void collect(const Run& run) const {
    for_lanes<T>(s_.hidden, [&](std::int64_t c) {
      Lanes<T> sum = load(run.sum + c);
      for (std::int64_t r = 0; r < run.count; ++r) {
        T* z = run.rows[r] + c;
        if constexpr (kTaped) {
          const Sloped<T> m = silu_with_slope<T>(load(z));
          store(z, m.slope);
          sum += m.value;
        } else {
          sum += silu<T>(load(z));
        }
      }
      store(run.sum + c, sum);
    });
  }

  /// The message of one slot, H numbers.
  void hand_out(bool present, const T* z, T* to) {
    if (!present) return void(std::fill_n(to, s_.hidden, T(0)));
    T* row = spare_.data;
    for_lanes<T>(s_.hidden, [=](std::int64_t c) { store(row + c, silu<T>(load(z + c))); });
    std::memcpy(to, row, static_cast<std::size_t>(s_.hidden) * sizeof(T));
  }

  /// active_ = SiLU(hidden + x W), where `hidden` holds what h and the bias add.
  void node_map(std::int64_t rows, Rows<T> x, Rows<T> weights, Rows<T> hidden) {
    multiply<Start::kSelf>(rows, s_.hidden, s_.hidden, x.left(), read_only(weights), hidden);
    for (std::int64_t i = 0; i < rows; ++i) {
      const T* z = hidden.at(i);
      T* active = active_.at(i);
      for_lanes<T>(s_.hidden, [=](std::int64_t c) { store(active + c, silu<T>(load(z + c))); });
    }
  }

  /// (1/K) sum_k S_k (S_k h + W4 a_k + b4): the map is applied to sums of the a_k.
  void give_average(std::int64_t first, std::int64_t items) {
    const std::int64_t nodes = items * s_.nodes, d = s_.components, n = s_.outputs() / d;
    const T scale = T(1) / static_cast<T>(s_.flips);
    gather(flips_, items, s_.nodes, active_, scale, s_.hidden, parts_);
    for (std::int64_t a = 0; a < d; ++a) {
      const auto k = static_cast<std::size_t>(a);
      multiply<Start::kZero>(nodes, n, s_.hidden, parts_[k].left(), read_only(node2_parts_[k]),
                             results_[k]);
      const T mean = flips_.mean(a);
      const T* bias = bias_[3].data + a;
      for (std::int64_t node = 0; node < nodes; ++node) {
        T* to = output_.h + (first + node) * s_.outputs() + a;
        const T* h = h_[k].at(node);
        for (std::int64_t i = 0; i < n; ++i)
          to[i * d] = results_[k].at(node)[i] + mean * bias[i * d] + (s_.out == 0 ? h[i] : T(0));
      }
    }
  }

  MessageShape s_;
  MessageInput<T> input_;
  MessageOutput<T> output_;
  Flips<T> flips_;
  std::int64_t hp_;
  Scratch<T> scratch_;
  std::vector<Rows<T>> receiver_, sender_, node_h_, node2_parts_, tail_h_, h_, parts_, results_;
  Rows<T> feature_, edge2_, node_sum_, tail_, bias_[5];
  Rows<T> active_, first_, second_, spare_;
  T* tape_ = nullptr;
  std::int64_t rows_ = 0;  // of the block under way
};

template <class T>
void forward(const MessageShape& shape, const MessageWeights<T>& weights,
             const MessageInput<T>& input, const MessageOutput<T>& output) {
  MessageForward<T>(shape, weights, input, output).run();
}

}  // namespace
}  // namespace equiframe::kernels::inline nn

EQUIFRAME_KERNELS(MessageForwardKernels, {{&forward<float>}, {&forward<double>}});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline nn {

MessageTape message_tape(const MessageShape& shape) {
  const std::int64_t row = padded(shape.hidden);
  return {tape_parts(shape) * row, row};
}

template <class T>
void message_forward(const MessageShape& shape, const MessageWeights<T>& weights,
                     const MessageInput<T>& input, const MessageOutput<T>& output) {
  Table<MessageForwardKernels>::chosen().of<T>().forward(shape, weights, input, output);
}

template void message_forward(const MessageShape&, const MessageWeights<float>&,
                              const MessageInput<float>&, const MessageOutput<float>&);
template void message_forward(const MessageShape&, const MessageWeights<double>&,
                              const MessageInput<double>&, const MessageOutput<double>&);

}  // namespace equiframe::kernels::inline nn
#endif
