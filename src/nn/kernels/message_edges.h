// What both passes of message_layer.h share: the slots of edges, the flips of an item, and how the
// rows of a block are counted.
#pragma once

#include <algorithm>

#include "nn/kernels/message_layer.h"
#include "simd/pack.h"

namespace equiframe::kernels::inline nn {
namespace {

/// Parts of a block's tape, each `padded(H)` numbers for every node of the block: A h + b1, B h,
/// the sum of messages, and the hidden layers of the node map and of the tail before their
/// activation. The parts follow one another: rows of all side by side would meet in few sets of the
/// cache.
enum TapePart : std::int64_t { kReceiver, kSender, kSum, kNodeHidden, kTailHidden };
inline std::int64_t tape_parts(const MessageShape& shape) {
  return shape.tail ? kTailHidden + 1 : kTailHidden;
}

/// Edge slots of a block of copies in order. Copies are numbered item by item, and all copies of
/// an item share its neighbours and features.
class SlotWalk {
 public:
  SlotWalk(const MessageShape& shape, std::int64_t e)
      : degree_(shape.degree),
        nodes_(shape.nodes),
        flips_(shape.flips),
        i_(e / shape.degree),
        d_(e % shape.degree),
        base_(i_ / shape.nodes * shape.nodes),
        flip_(i_ / shape.nodes % shape.flips),
        source_((i_ / shape.nodes / shape.flips * shape.nodes + i_ - base_) * shape.degree + d_) {}

  std::int64_t node() const { return i_; }         ///< the receiving node, in the block
  std::int64_t base() const { return base_; }      ///< the first node of its copy
  std::int64_t source() const { return source_; }  ///< the slot of the item, in the block
  bool first_copy() const { return flip_ == 0; }

  void next() {
    ++source_;
    if (++d_ < degree_) return;
    d_ = 0;
    if (++i_ < base_ + nodes_) return;
    base_ = i_;
    if (++flip_ < flips_)
      source_ -= nodes_ * degree_;
    else
      flip_ = 0;
  }

 private:
  std::int64_t degree_, nodes_, flips_, i_, d_, base_, flip_, source_;
};

/// z = A h_i + B h_j + E e_ij along the lanes of an edge; `kFeatures` < 0 leaves their number open.
template <int kFeatures, class T>
struct EdgeSum {
  const T* receiver;
  const T* sender;
  const T* feature;
  Rows<T> weights;
  std::int64_t count;

  Lanes<T> at(std::int64_t c) const {
    Lanes<T> z = load(receiver + c) + load(sender + c);
    const std::int64_t n = kFeatures < 0 ? count : kFeatures;
#pragma GCC unroll 4
    for (std::int64_t f = 0; f < n; ++f)
      z = multiply_add(splat<Lanes<T>>(feature[f]), load(weights.at(f) + c), z);
    return z;
  }
};

/// f(number of features) as a constant where it is small, else f(-1). It is for whole batches of
/// rows: what a loop over lanes keeps in registers is loaded once for all of them.
template <class F>
void with_feature_count(std::int64_t count, const F& f) {
  if (count == 1) return f(std::integral_constant<int, 1>{});
  if (count == 2) return f(std::integral_constant<int, 2>{});
  if (count == 3) return f(std::integral_constant<int, 3>{});
  f(std::integral_constant<int, -1>{});
}

/// The flips of a shape: sign s_kc of component c in copy k.
template <class T>
class Flips {
 public:
  Flips(const MessageShape& shape, const T* signs)
      : count(shape.flips),
        components(shape.components),
        signs_(static_cast<std::size_t>(count * components), T(1)) {
    if (signs != nullptr) std::copy_n(signs, signs_.size(), signs_.begin());
  }

  T sign(std::int64_t k, std::int64_t c) const { return of_component(c)[k * components]; }
  /// The signs of component c, `components` apart.
  const T* of_component(std::int64_t c) const { return signs_.data() + c; }
  /// The mean sign of component c, zero for all flips of a frame.
  T mean(std::int64_t c) const {
    T sum = 0;
    for (std::int64_t k = 0; k < count; ++k) sum += sign(k, c);
    return sum / static_cast<T>(count);
  }

  std::int64_t count, components;

 private:
  Numbers<T> signs_;
};

/// Rows of copies (k, node) of each item's nodes: to = start + sum_c s_kc part_c. For d = 3, where
/// the time goes, the sum stays in registers.
template <class T>
void spread(const Flips<T>& flips, std::int64_t items, std::int64_t nodes,
            const std::vector<Rows<T>>& parts, const T* start, std::int64_t cols, Rows<T> to) {
  const std::int64_t copies = flips.count, step = nodes * to.row;
  const auto bias = [=](std::int64_t l) { return start == nullptr ? Lanes<T>{} : load(start + l); };
  for (std::int64_t node = 0; node < items * nodes; ++node) {
    T* row = to.at(node / nodes * nodes * copies + node % nodes);
    for (std::int64_t k = 0; k < copies; ++k, row += step) {
      const auto sign = [&](std::int64_t c) { return splat<Lanes<T>>(flips.sign(k, c)); };
      if (flips.components == 3) {
        const T *x = parts[0].at(node), *y = parts[1].at(node), *z = parts[2].at(node);
        for_lanes<T>(cols, [=, sx = sign(0), sy = sign(1), sz = sign(2)](std::int64_t l) {
          const Lanes<T> sum = multiply_add(sx, load(x + l), bias(l));
          store(row + l, multiply_add(sz, load(z + l), multiply_add(sy, load(y + l), sum)));
        });
        continue;
      }
      for_lanes<T>(cols, [=](std::int64_t l) { store(row + l, bias(l)); });
      for (std::int64_t c = 0; c < flips.components; ++c)
        for_lanes<T>(cols, [=, s = sign(c),
                            part = parts[static_cast<std::size_t>(c)].at(node)](std::int64_t l) {
          store(row + l, multiply_add(s, load(part + l), load(row + l)));
        });
    }
  }
}

/// The transpose of `spread`: part_c = scale sum_k s_kc rows of copy k.
template <class T>
void gather(const Flips<T>& flips, std::int64_t items, std::int64_t nodes, Rows<T> from, T scale,
            std::int64_t cols, const std::vector<Rows<T>>& parts) {
  const std::int64_t copies = flips.count, d = flips.components, step = nodes * from.row;
  for (std::int64_t node = 0; node < items * nodes; ++node) {
    const T* row = from.at(node / nodes * nodes * copies + node % nodes);
    for (std::int64_t c = 0; c < d; ++c) {
      const T* signs = flips.of_component(c);
      T* to = parts[static_cast<std::size_t>(c)].at(node);
      for_lanes<T>(cols, [=](std::int64_t l) {
        Lanes<T> sum{};
        for (std::int64_t k = 0; k < copies; ++k)
          sum = multiply_add(splat<Lanes<T>>(signs[k * d]), load(row + k * step + l), sum);
        store(to + l, sum * splat<Lanes<T>>(scale));
      });
    }
  }
}

/// Items that are worked on together: enough rows to fill the tiles, few enough for the cache.
inline std::int64_t items_per_block(const MessageShape& shape) {
  const std::int64_t rows = std::max<std::int64_t>(1, shape.nodes * shape.flips);
  return std::clamp<std::int64_t>(96 / rows, 1, std::max<std::int64_t>(1, shape.items));
}
/// Edge rows in flight. The backward pass adds up the gradient of a whole matrix with each batch of
/// rows, so that it wants more of them.
constexpr std::int64_t kEdgeRows = 48, kBackwardEdgeRows = 144;

}  // namespace
}  // namespace equiframe::kernels::inline nn
