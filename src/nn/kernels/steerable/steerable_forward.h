// steerable_forward as compiled for the instruction set of the including source.
#pragma once

#include "nn/kernels/steerable/steerable_lift.h"
#include "nn/kernels/steerable/steerable_radial.h"

namespace equiframe::kernels::inline nn {
namespace {

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

}  // namespace
}  // namespace equiframe::kernels::inline nn
