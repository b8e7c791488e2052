// Values of edges, made in the cache for a block of nodes at a time.
#pragma once

#include "nn/kernels/edge_pool.h"
#include "nn/kernels/message_pack.h"

namespace equiframe::kernels::inline nn {
namespace {

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

}  // namespace
}  // namespace equiframe::kernels::inline nn
