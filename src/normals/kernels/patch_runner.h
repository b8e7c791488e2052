// The stages of kernels/patch_network.h on one patch, for evaluation and for training.
#pragma once

#include <cmath>
#include <limits>

#include "normals/kernels/placed_patch.h"

namespace equiframe::kernels::inline normals {
namespace {

template <class T>
class PatchRunner : protected PlacedPatch<T> {
 public:
  /// `flips` of the frame at a time; with one, what the first layers give is kept.
  PatchRunner(const PatchNetwork<T>& network, std::int64_t count, std::size_t slots,
              std::int64_t flips)
      : PlacedPatch<T>(network.scales, count),
        width_(network.normal.own[1].out),
        flips_(flips),
        slots_(slots) {
    for (const PatchStage<T>& stage : network.stages) stages_.push_back(packed(stage));
    normal_ = packed(network.normal);
    scores_ = scratch_.take(1, room_);
    for (Rows<T>* panel : {&panel_base_, &panel_along_[0], &panel_along_[1], &panel_along_[2]})
      *panel = scratch_.take(width_, kPanel);
    panel_hidden_ = scratch_.take(width_, flips * kPanel);
    tops_ = scratch_.take(flips * width_, kWidth<T>);
    sums_ = scratch_.take(flips * width_, kWidth<T>);
    for (PatchSlot<T>& slot : slots_) {
      slot.scalars = scratch_.take(kScalarInputs, room_);
      for (Rows<T>& part : slot.along) part = scratch_.take(3, room_);
      if (flips == 1) slot.hidden = scratch_.take(width_, room_);
      slot.own = scratch_.take(width_, flips * room_);
      slot.pooled.resize(static_cast<std::size_t>(flips * pooled_width()));
      slot.between.resize(static_cast<std::size_t>(width_));
      slot.context.resize(static_cast<std::size_t>(width_));
    }
  }

 protected:
  using Patch = PlacedPatch<T>;
  using Patch::count_, Patch::room_, Patch::scratch_, Patch::x_, Patch::weights_, Patch::logits_,
      Patch::plane_, Patch::kPanel, Patch::kPanelLanes;

  PackedStage<T> packed(const PatchStage<T>& stage) {
    PackedStage<T> result;
    result.raw = &stage;
    const T* w = stage.own[0].weight;
    const std::int64_t in = stage.own[0].in;
    result.scalars = scratch_.take(width_, kScalarInputs);
    pack(w, {in, kFixedInput}, width_, kScalarInputs, result.scalars);
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      result.along[axis] = scratch_.take(width_, 3);
      pack(w, {in, axis, 3}, width_, 3, result.along[axis]);
    }
    result.own = scratch_.take(width_, width_);
    pack(stage.own[1].weight, {width_}, width_, width_, result.own);
    return result;
  }

  /// What becomes of a neighbour's numbers: they are kept for scores and their plain sum is taken,
  /// or they are the last ones, activated, and summed by weight.
  enum class Last { kNo, kYes };

  /// The two layers of every point, a few points at a time: the part of the first one that no flip
  /// changes is computed once. Leaves `own` and `pooled`.
  template <Last kLast>
  void run_own(const PackedStage<T>& stage, const Flip* flips, PatchSlot<T>& slot) {
    const Numbers<T> first_bias = first_biases(stage, slot);
    clear_pools();
    for (std::int64_t n = 0; n < room_; n += kPanel) {
      multiply<Start::kColumn>(width_, kPanel, kScalarInputs, stage.scalars.left(),
                               Rows<const T>{slot.scalars.data + n, slot.scalars.row}, panel_base_,
                               first_bias.data());
      for (int axis = 0; axis < 3; ++axis)
        multiply<Start::kZero>(width_, kPanel, 3, stage.along[axis].left(),
                               Rows<const T>{slot.along[axis].data + n, slot.along[axis].row},
                               panel_along_[axis]);
      const Rows<T> hidden =
          flips_ == 1 ? Rows<T>{slot.hidden.data + n, slot.hidden.row} : panel_hidden_;
      if (flips_ == 1)
        activate(*flips, hidden);
      else
        activate_all(hidden);
      multiply<Start::kColumn>(width_, flips_ * kPanel, width_, stage.own.left(), read_only(hidden),
                               Rows<T>{slot.own.data + n * flips_, slot.own.row},
                               stage.raw->own[1].bias);
      if (n + kPanel > count_)
        pool_rest<kLast>(n, slot);
      else
        pool<kLast>(n, slot);
    }
    finish_pools(slot);
  }

  /// The first layer of a panel for one flip.
  void activate(const Flip& flip, Rows<T> to) const {
    const T s0 = T(flip[0]), s1 = T(flip[1]), s2 = T(flip[2]);
    for (std::int64_t o = 0; o < width_; ++o)
      for_lanes<T>(kPanel, [&](std::int64_t i) {
        store(to.at(o) + i,
              relu<T>(load(panel_base_.at(o) + i) + s0 * load(panel_along_[0].at(o) + i) +
                      s1 * load(panel_along_[1].at(o) + i) + s2 * load(panel_along_[2].at(o) + i)));
      });
  }
  /// For all kFlips, side by side: (b + x) + (y + z), (b + x) - (y + z), (b - x) + (y - z), ...
  void activate_all(Rows<T> to) const {
    for (std::int64_t o = 0; o < width_; ++o)
      for_lanes<T>(kPanel, [&](std::int64_t i) {
        const Lanes<T> base = load(panel_base_.at(o) + i), x = load(panel_along_[0].at(o) + i),
                       y = load(panel_along_[1].at(o) + i), z = load(panel_along_[2].at(o) + i);
        const Lanes<T> plus = base + x, minus = base - x, both = y + z, apart = y - z;
        T* const row = to.at(o) + i;
        store(row, relu<T>(plus + both));
        store(row + kPanel, relu<T>(plus - both));
        store(row + 2 * kPanel, relu<T>(minus + apart));
        store(row + 3 * kPanel, relu<T>(minus - apart));
      });
  }

  /// A neighbour's numbers of flip f, in the panel that begins at point n.
  T* own_at(PatchSlot<T>& slot, std::int64_t o, std::int64_t n, std::int64_t f) const {
    return slot.own.at(o) + n * flips_ + f * kPanel;
  }

  template <Last kLast>
  void pool(std::int64_t n, PatchSlot<T>& slot) {
    for (std::int64_t o = 0; o < width_; ++o)
      for (std::int64_t f = 0; f < flips_; ++f) {
        T* const own = own_at(slot, o, n, f);
        T *const tops = tops_.at(f * width_ + o), *const sums = sums_.at(f * width_ + o);
        Lanes<T> top = load(tops), sum = load(sums);
        for_lanes<T>(kPanel, [&](std::int64_t i) {
          Lanes<T> value = load(own + i);
          if constexpr (kLast == Last::kYes) {
            value = relu<T>(value);
            store(own + i, value);
            sum = multiply_add(load(weights_.data + n + i), value, sum);
          } else {
            sum += value;
          }
          top = value > top ? value : top;
        });
        store(tops, top);
        store(sums, sum);
      }
  }

  /// A panel that is not full of points.
  template <Last kLast>
  void pool_rest(std::int64_t n, PatchSlot<T>& slot) {
    for (std::int64_t o = 0; o < width_; ++o)
      for (std::int64_t f = 0; f < flips_; ++f) {
        T* const own = own_at(slot, o, n, f);
        T &top = tops_.at(f * width_ + o)[0], &sum = sums_.at(f * width_ + o)[0];
        for (std::int64_t i = 0; i < count_ - n; ++i) {
          if constexpr (kLast == Last::kYes) own[i] = std::max(own[i], T(0));
          top = std::max(top, own[i]);
          sum += kLast == Last::kYes ? weights_.data[n + i] * own[i] : own[i];
        }
      }
  }

  void clear_pools() {
    for (std::int64_t k = 0; k < flips_ * width_; ++k) {
      store(tops_.at(k), splat<Lanes<T>>(std::numeric_limits<T>::lowest()));
      store(sums_.at(k), Lanes<T>{});
    }
  }
  void finish_pools(PatchSlot<T>& slot) {
    for (std::int64_t f = 0; f < flips_; ++f)
      for (std::int64_t o = 0; o < width_; ++o) {
        const T* const tops = tops_.at(f * width_ + o);
        pooled_at(slot, f, o) = *std::max_element(tops, tops + kWidth<T>);
        pooled_at(slot, f, width_ + o) = total(load(sums_.at(f * width_ + o)));
      }
  }

  /// The first layer's bias and what the patch as a whole adds to it.
  Numbers<T> first_biases(const PackedStage<T>& stage, const PatchSlot<T>& slot) const {
    const DenseLayer<T>& first = stage.raw->own[0];
    Numbers<T> result(static_cast<std::size_t>(width_));
    for (std::int64_t o = 0; o < width_; ++o)
      result[static_cast<std::size_t>(o)] =
          first.bias[o] + row_product(first.weight + o * first.in + kWholeInput, slot.whole.data(),
                                      std::int64_t{kWholeInputs});
    return result;
  }

  T& pooled_at(PatchSlot<T>& slot, std::int64_t flip, std::int64_t k) const {
    return slot.pooled[static_cast<std::size_t>(pooled_width() * flip + k)];
  }
  std::int64_t pooled_width() const { return 2 * width_ + kJetInputs; }

  void run_pooled(const PackedStage<T>& stage, PatchSlot<T>& slot, std::int64_t flip, T* y) const {
    dense(stage.raw->pooled[0], slot.pooled.data() + pooled_width() * flip, slot.between.data());
    for (T& value : slot.between) value = std::max(value, T(0));
    dense(stage.raw->pooled[1], slot.between.data(), y);
  }

  /// The scores of all flips, summed, times `share`, into the logits; then the plane anew.
  void run_stage(const PackedStage<T>& stage, const Flip* flips, T share, PatchSlot<T>& slot) {
    this->describe(slot);
    run_own<Last::kNo>(stage, flips, slot);
    for_lanes<T>(room_, [&](std::int64_t i) { store(scores_.data + i, Lanes<T>{}); });
    for (std::int64_t f = 0; f < flips_; ++f) {
      for (std::int64_t o = 0; o < width_; ++o) pooled_at(slot, f, width_ + o) /= T(count_);
      run_pooled(stage, slot, f, slot.context.data());
      add_scores(stage, f, slot);
    }
    for_lanes<T>(count_, [&](std::int64_t i) {
      store(logits_.data + i, load(logits_.data + i) + load(scores_.data + i) * share);
    });
    this->softmax();
    plane_ = fit_weighted(count_, x_, weights_.data);
  }

  void add_scores(const PackedStage<T>& stage, std::int64_t f, PatchSlot<T>& slot) {
    const T* const factors = stage.raw->score.weight;
    for (std::int64_t n = 0; n < room_; n += kPanel) {
      Lanes<T> sums[kPanelLanes];
      for (int l = 0; l < kPanelLanes; ++l) sums[l] = load(scores_.data + n + l * kWidth<T>);
      for (std::int64_t o = 0; o < width_; ++o) {
        const T* own = own_at(slot, o, n, f);
        const Lanes<T> factor = splat<Lanes<T>>(factors[o]);
        const T shift = slot.context[static_cast<std::size_t>(o)];
        for (int l = 0; l < kPanelLanes; ++l)
          sums[l] = multiply_add(factor, relu<T>(load(own + l * kWidth<T>) + shift), sums[l]);
      }
      for (int l = 0; l < kPanelLanes; ++l) store(scores_.data + n + l * kWidth<T>, sums[l]);
    }
  }

  /// A normal in the frame, (1, a, b) over its length, and in space.
  struct Line {
    double slopes[2];
    double length;
    double local[3];
    double normal[3];
  };

  /// After run_own<Last::kYes> of the last stage.
  Line line(const Flip& flip, const PatchJet& jet, std::int64_t f, PatchSlot<T>& slot) {
    Line line{};
    T* const told = &pooled_at(slot, f, 2 * width_);
    for (std::size_t k = 0; k < 2; ++k) {
      line.slopes[k] = flip[0] * flip[k + 1] * jet.slopes[k];
      told[k] = T(line.slopes[k]);
    }
    told[2] = T(std::sqrt(jet.slopes[0] * jet.slopes[0] + jet.slopes[1] * jet.slopes[1]));
    told[3] = T(std::log(jet.scatter + PatchConstants::kMinShare));
    T correction[2];
    run_pooled(normal_, slot, f, correction);
    for (int k = 0; k < 2; ++k) line.slopes[k] += double(correction[k]);
    line.length = std::sqrt(1 + line.slopes[0] * line.slopes[0] + line.slopes[1] * line.slopes[1]);
    line.local[0] = 1 / line.length;
    line.local[1] = line.slopes[0] / line.length;
    line.local[2] = line.slopes[1] / line.length;
    for (int c = 0; c < 3; ++c)
      for (int axis = 0; axis < 3; ++axis)
        line.normal[c] +=
            plane_.axes[3 * c + axis] * flip[static_cast<std::size_t>(axis)] * line.local[axis];
    return line;
  }

  std::int64_t width_, flips_;
  std::vector<PackedStage<T>> stages_;
  PackedStage<T> normal_;
  std::vector<PatchSlot<T>> slots_;
  Rows<T> scores_;
  Rows<T> panel_base_, panel_along_[3], panel_hidden_;
  Rows<T> tops_, sums_;  // [flips width, lanes]: maxima and sums so far
};

}  // namespace
}  // namespace equiframe::kernels::inline normals
