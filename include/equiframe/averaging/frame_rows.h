#pragma once

#include <utility>

#include <ATen/ATen.h>

#include "equiframe/export.h"
#include "equiframe/frames/frame_set.h"

namespace equiframe::inline averaging {

/// What a map should be equivariant to: f(rho_in(g) x) = rho_out(g) f(x) for all g in the group.
template <Group G>
struct Symmetry {
  G group;
  typename G::Representation in;
  typename G::Representation out;
};

/// Frames of the left rule F(gX) = gF(X) frame the input by g^-1 and bring the output back by g;
/// frames of the right rule F(gX) = F(X)g^-1 (Eq. 4) do the opposite (Eq. 5).
enum class FrameSide { kLeft, kRight };

/// How many framed copies of an item of `x` fit into `max_bytes` (0: all `rows`), at least one.
EQUIFRAME_API int64_t rows_per_call(const Batch& x, int64_t max_bytes, int64_t rows);

/// 0 ... 0 1 ... 1 2 ...: each of `batch` items `per_item` times, int64 [batch * per_item].
EQUIFRAME_API Tensor items_in_order(int64_t batch, int64_t per_item);

/// Whether every one of the weights [M] float64 is above zero.
EQUIFRAME_API bool all_positive(const Tensor& weights);
/// Whether the weights [M] float64 are equal.
EQUIFRAME_API bool all_equal(const Tensor& weights);

/// The elements of a FrameSet in one list, without those of weight zero: folding and unfolding of
/// the frame axis happens here and nowhere else.
template <Group G>
struct FrameRows {
  typename G::Element elements;  // batch shape [M]
  Tensor weights;                // [M]
  Tensor items;                  // [M] int64: the item each row belongs to
  int64_t batch = 0;             // B
  int64_t per_item = 0;          // K if every item has K rows in order, else 0
  std::shared_ptr<const StabilizerProjection<G>> stabilizer;

  FrameRows() = default;
  explicit FrameRows(const FrameSet<G>& frame)
      : weights(frame.weights.flatten()),
        items(items_in_order(frame.batch(), frame.size())),
        batch(frame.batch()),
        per_item(frame.size()),
        stabilizer(frame.stabilizer) {
    elements = map_parts(frame.elements, [](const Tensor& part) { return part.flatten(0, 1); });
    if (all_positive(weights)) return;
    *this = select((weights.detach() > 0).nonzero().squeeze(1));
  }

  int64_t size() const { return weights.size(0); }

  /// Whether all rows weigh the same, as constants.
  bool uniform() const { return !weights.requires_grad() && all_equal(weights); }

  FrameRows select(const Tensor& rows) const {
    FrameRows result = *this;
    const auto pick = [&](const Tensor& part) { return part.index_select(0, rows); };
    result.elements = map_parts(elements, pick);
    result.weights = pick(weights);
    result.items = pick(items);
    result.per_item = 0;
    return result;
  }

  FrameRows slice(int64_t start, int64_t length) const {
    FrameRows result = *this;
    const auto cut = [&](const Tensor& part) { return part.narrow(0, start, length); };
    result.elements = map_parts(elements, cut);
    result.weights = cut(weights);
    result.items = cut(items);
    result.per_item = 0;
    return result;
  }

  /// Each row's copy of its item, [M, ...].
  Batch copies(const Batch& x) const {
    return x.map([&](const Tensor& part) { return part.index_select(0, items); });
  }

  /// sum over each item's rows of w rho_out(g) P y, [B, ...]; P is the stabiliser's projection.
  Tensor combine(const Symmetry<G>& symmetry, const Tensor& y, FrameSide side) const {
    const Tensor projected = stabilizer ? stabilizer->apply(symmetry.out, y, items) : y;
    const Tensor moved = side == FrameSide::kLeft
                             ? symmetry.group.act(symmetry.out, elements, projected)
                             : symmetry.group.act_inverse(symmetry.out, elements, projected);
    const Tensor w = weights.to(moved.dtype());
    auto shape = moved.sizes().vec();
    shape[0] = batch;
    if (per_item == 1 && !w.requires_grad()) return moved;
    if (per_item > 0) {
      const Tensor grouped = moved.reshape({batch, per_item, -1});  // [B, K, P]
      if (uniform()) return grouped.mean(1).reshape(shape);         // one pass over the outputs
      return w.view({batch, 1, per_item}).matmul(grouped).reshape(shape);
    }
    std::vector<int64_t> column(shape.size(), 1);
    column[0] = size();
    return at::zeros(shape, moved.options()).index_add(0, items, moved * w.view(column));
  }
};

}  // namespace equiframe::inline averaging
