#include "nn/kernels/message_layer.h"
#include "tests/simd/levels/case.h"

namespace equiframe::kernels::levels {
namespace {

/// A layer with its weights, inputs and places for everything that comes out.
template <class T>
class Layer {
 public:
  explicit Layer(const MessageShape& shape) : s_(shape) {
    const std::int64_t c = s_.width, h = s_.hidden, e = s_.feature, out = s_.outputs();
    for (const std::int64_t count :
         {h * (2 * c + e), h, h * h, h, h * (c + h), h, out * h, out, h * (c + h), h}) {
      weights_.push_back(draws_.numbers<T>(count, 0.3));
      d_weights_.emplace_back(static_cast<std::size_t>(count));
    }
    h_ = draws_.numbers<T>(s_.items * s_.nodes * c);
    edge_ = draws_.numbers<T>(s_.items * s_.nodes * s_.degree * e);
    for (std::int64_t k = 0; k < s_.items * s_.nodes * s_.degree; ++k)
      neighbours_.push_back(k % 5 == 4 ? -1 : draws_.below(s_.nodes));
    for (std::int64_t k = 0; k < s_.flips * s_.components; ++k)
      signs_.push_back(draws_.number() < 0 ? T(-1) : T(1));
    const MessageTape tape = message_tape(s_);
    node_tape_.resize(static_cast<std::size_t>(s_.copy_nodes() * tape.node_numbers));
    edge_tape_.resize(static_cast<std::size_t>(s_.copy_edges() * tape.edge_numbers));
    messages_.resize(static_cast<std::size_t>(s_.copy_edges() * h));
    result_.resize(static_cast<std::size_t>(s_.items * s_.nodes * out));
  }

  std::vector<Output> forward(SimdLevel level) {
    Table<MessageForwardKernels>::at(level).of<T>().forward(
        s_, weights(), input(),
        {result_.data(), messages_.data(), node_tape_.data(), edge_tape_.data()});
    return {output("h", result_), output("messages", messages_)};
  }

  /// After `forward`.
  std::vector<Output> backward(SimdLevel level) {
    const std::vector<T> d_h = draws_.numbers<T>(s_.items * s_.nodes * s_.outputs());
    const std::vector<T> d_messages = draws_.numbers<T>(s_.copy_edges() * s_.hidden);
    std::vector<T> d_input(h_.size()), d_edge(edge_.size());
    auto& w = d_weights_;
    const MessageWeightGradients<T> to{w[0].data(), w[1].data(), w[2].data(), w[3].data(),
                                       w[4].data(), w[5].data(), w[6].data(), w[7].data(),
                                       w[8].data(), w[9].data()};
    Table<MessageBackwardKernels>::at(level).of<T>().backward(
        s_, weights(), input(),
        {d_h.data(), d_messages.data(), node_tape_.data(), edge_tape_.data(), d_input.data(),
         d_edge.data(), to});
    std::vector<Output> outputs{output("d input", d_input), output("d edge", d_edge)};
    for (const std::vector<T>& one : d_weights_) outputs.push_back(output("d weight", one));
    return outputs;
  }

 private:
  MessageWeights<T> weights() const {
    const auto& w = weights_;
    return {w[0].data(),
            w[1].data(),
            w[2].data(),
            w[3].data(),
            w[4].data(),
            w[5].data(),
            w[6].data(),
            w[7].data(),
            s_.tail ? w[8].data() : nullptr,
            s_.tail ? w[9].data() : nullptr};
  }
  MessageInput<T> input() const {
    return {h_.data(), neighbours_.data(), edge_.data(), signs_.data()};
  }

  MessageShape s_;
  Draws draws_{21};
  std::vector<std::vector<T>> weights_, d_weights_;
  std::vector<T> h_, edge_, signs_, node_tape_, edge_tape_, messages_, result_;
  std::vector<std::int64_t> neighbours_;
};

/// A plain layer; one averaged over flips of vectors; a decoder with a tail.
std::vector<MessageShape> shapes() {
  return {{.items = 3, .nodes = 5, .degree = 4, .width = 8, .hidden = 20, .feature = 2},
          {.items = 2,
           .nodes = 5,
           .degree = 4,
           .width = 12,
           .hidden = 16,
           .feature = 1,
           .flips = 4,
           .components = 3},
          {.items = 2,
           .nodes = 7,
           .degree = 6,
           .width = 6,
           .hidden = 33,
           .feature = 5,
           .flips = 2,
           .components = 2,
           .out = 4,
           .tail = true}};
}

template <class T>
std::vector<Output> forward(SimdLevel level) {
  std::vector<Output> all;
  for (const MessageShape& shape : shapes())
    for (const Output& one : Layer<T>(shape).forward(level)) all.push_back(one);
  return all;
}

/// Every level reads the tape that the baseline wrote.
template <class T>
std::vector<Output> backward(SimdLevel level) {
  std::vector<Output> all;
  for (const MessageShape& shape : shapes()) {
    Layer<T> layer(shape);
    layer.forward(SimdLevel::kBaseline);
    for (const Output& one : layer.backward(level)) all.push_back(one);
  }
  return all;
}

}  // namespace

std::vector<Case> message_cases() {
  return {{"message_forward", 32, {forward<float>, forward<double>}},
          {"message_backward", 32, {backward<float>, backward<double>}}};
}

}  // namespace equiframe::kernels::levels
