// The stages of kernels/patch_network.h on one patch, for evaluation and for training, as compiled
// for the instruction set of the including source.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "patch_parts.h"

namespace equiframe::kernels {
namespace {

template <class T>
class PatchRunner {
 public:
  /// `flips` of the frame at a time; with one, what the first layers give is kept.
  PatchRunner(const PatchNetwork<T>& network, std::int64_t count, std::size_t slots,
              std::int64_t flips)
      : count_(count),
        room_((count + kPanel - 1) / kPanel * kPanel),
        width_(network.normal.own[1].out),
        flips_(flips),
        slots_(slots) {
    for (const PatchStage<T>& stage : network.stages) stages_.push_back(packed(stage));
    normal_ = packed(network.normal);
    scales_[0] = network.scales[0];
    scales_[1] = network.scales[1];
    chosen_.resize(static_cast<std::size_t>(network.scales[0].out));
    windows_ = scratch_.take(kScales, room_);
    start_ = scratch_.take(1, room_);
    x_ = scratch_.take(3, room_);
    features_ = scratch_.take(kPointFeatures, room_);
    weights_ = scratch_.take(1, room_);
    logits_ = scratch_.take(1, room_);
    scores_ = scratch_.take(1, room_);
    for (Rows<T>& part : flat_) part = scratch_.take(1, room_);
    for (Rows<T>* panel : {&panel_base_, &panel_along_[0], &panel_along_[1], &panel_along_[2]})
      *panel = scratch_.take(width_, kPanel);
    panel_hidden_ = scratch_.take(width_, flips * kPanel);
    tops_ = scratch_.take(flips * width_, kWidth<T>);
    sums_ = scratch_.take(flips * width_, kWidth<T>);
    rows_.resize(static_cast<std::size_t>(3 * count));
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

  /// The patch in the unit ball with its features, first weights and first plane; false if it is
  /// one point.
  template <class U>
  bool place(const U* offsets, const T* cloud) {
    double radius = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      const double a = double(offsets[3 * i]), b = double(offsets[3 * i + 1]),
                   c = double(offsets[3 * i + 2]);
      radius = std::max(radius, a * a + b * b + c * c);
    }
    if (!(radius > 0)) return false;
    const double scale = 1 / std::sqrt(radius);
    for (std::int64_t i = 0; i < count_; ++i)
      for (std::int64_t c = 0; c < 3; ++c)
        rows_[static_cast<std::size_t>(3 * i + c)] = x_.at(c)[i] =
            T(double(offsets[3 * i + c]) * scale);
    patch_features<T>(
        count_, rows_.data(),
        {features_.data, features_.row, 1, whole_.data(), windows_.data, windows_.row});
    std::copy(cloud, cloud + kCloudFeatures, whole_.data() + kPatchFeatures);
    choose_scale();
    for (std::int64_t i = 0; i < count_; ++i) {
      T sum = rim();
      for (std::int64_t s = 0; s < kScales; ++s)
        sum += share_[static_cast<std::size_t>(s)] * windows_.at(s)[i];
      start_.data[i] = sum;
      logits_.data[i] = std::log(sum);
    }
    softmax();
    plane_ = fit_weighted(count_, x_, weights_.data);
    return true;
  }

  /// A point of the patch has at least this weight before the first stage.
  T rim() const { return T(1e-3) / T(count_); }

  /// share_ = softmax of the network on the patch's own numbers.
  void choose_scale() {
    dense(scales_[0], whole_.data(), chosen_.data());
    for (T& value : chosen_) value = std::max(value, T(0));
    dense(scales_[1], chosen_.data(), share_.data());
    T* const end = share_.data() + kScales;
    const T most = *std::max_element(share_.data(), end);
    T sum = 0;
    for (T* value = share_.data(); value != end; ++value) sum += * value = std::exp(*value - most);
    for (T* value = share_.data(); value != end; ++value) *value /= sum;
    stiffness_ =
        std::exp(std::clamp(double(*end), -kStiffnessLimit, kStiffnessLimit) - kUsualStiffness);
  }

  void softmax() {
    most_ = logits_.data[0];
    for (std::int64_t i = 1; i < count_; ++i) most_ = std::max(most_, logits_.data[i]);
    for_lanes<T>(count_, [&](std::int64_t i) {  // 1 + exp(-z) at z = most - logit
      store(weights_.data + i, logistic_denominator(most_ - load(logits_.data + i)) - T(1));
    });
    double sum = 0;
    for (std::int64_t i = 0; i < count_; ++i) sum += double(weights_.data[i]);
    const T share = T(1 / sum);
    for (std::int64_t i = 0; i < count_; ++i) weights_.data[i] *= share;
  }

  /// The input of a stage. Lengths are in units of the weighted patch's extent and softly limited
  /// to four of them.
  void describe(PatchSlot<T>& slot) {
    constexpr double kOfExtent = 0.02, kReach = 4;
    describe_whole(slot);
    const double scatter = scatter_;
    const T unit = T(1 / extent_), soft = T(1 / (kReach * kReach)),
            band = T(scatter / extent_ + kOfExtent);
    const double* v = plane_.axes;
    T axes[9], shift[3] = {};
    for (int k = 0; k < 9; ++k) axes[k] = T(v[k]);
    for (int axis = 0; axis < 3; ++axis)
      shift[axis] = T(
          (plane_.mean[0] * v[axis] + plane_.mean[1] * v[3 + axis] + plane_.mean[2] * v[6 + axis]) /
          extent_);
    const T points = T(count_), floor = most_ - T(kLogitLimit);
    T* const scalars[5] = {
        slot.scalars.at(kReachInput - kFixedInput), slot.scalars.at(kHeightInput - kFixedInput),
        slot.scalars.at(kShareInput - kFixedInput), slot.scalars.at(kLogitInput - kFixedInput),
        slot.scalars.at(kWeightInput - kFixedInput)};
    for_lanes<T>(count_, [&](std::int64_t i) {
      const Lanes<T> x = load(x_.at(0) + i), y = load(x_.at(1) + i), z = load(x_.at(2) + i);
      const Lanes<T> dx = load(features_.at(0) + i), dy = load(features_.at(1) + i),
                     dz = load(features_.at(2) + i);
      Lanes<T> place[3], centred[3], far{}, off{};
      for (int axis = 0; axis < 3; ++axis) {
        place[axis] = (axes[axis] * x + axes[3 + axis] * y + axes[6 + axis] * z) * unit;
        centred[axis] = place[axis] - shift[axis];
        far += place[axis] * place[axis];
        off += centred[axis] * centred[axis];
        store(slot.along[axis].at(2) + i,
              axes[axis] * dx + axes[3 + axis] * dy + axes[6 + axis] * dz);
      }
      const Lanes<T> near_place = T(1) / square_root(T(1) + far * soft);
      const Lanes<T> near_centred = T(1) / square_root(T(1) + off * soft);
      for (int axis = 0; axis < 3; ++axis) {
        store(slot.along[axis].at(0) + i, centred[axis] * near_centred);
        store(slot.along[axis].at(1) + i, place[axis] * near_place);
        if (axis > 0) store(flat_[axis].data + i, centred[axis]);
      }
      store(flat_[0].data + i, centred[0]);
      const Lanes<T> height = centred[0] < T(0) ? -centred[0] : centred[0];
      store(scalars[0] + i, square_root(far) * near_place);
      store(scalars[1] + i, height * near_centred);
      store(scalars[2] + i, height / (height + band));
      store(scalars[3] + i, relu<T>(load(logits_.data + i) - floor));
      const Lanes<T> weight = load(weights_.data + i) * points;
      store(scalars[4] + i, weight / (T(1) + weight * T(0.125)));
    });
    for (std::int64_t c = 0; c < kPointFeatures - 3; ++c)
      std::memcpy(slot.scalars.at(c), features_.at(3 + c),
                  sizeof(T) * static_cast<std::size_t>(count_));
  }

  /// And extent_ and scatter_.
  void describe_whole(PatchSlot<T>& slot) {
    constexpr double kLeastExtent = 1e-6, kLeastShare = 1e-3;
    double root[3], sum = 0, squares = 0;
    for (int k = 0; k < 3; ++k) {
      const double value = std::max(0.0, plane_.values[k]);
      root[k] = std::sqrt(value);
      sum += value;
    }
    extent_ = std::max(std::sqrt(sum), kLeastExtent);
    scatter_ = std::hypot(root[0], kFlatness * extent_);
    const double* m = plane_.mean;
    const double along = m[0] * plane_.axes[0] + m[1] * plane_.axes[3] + m[2] * plane_.axes[6];
    const double across =
        std::sqrt(std::max(0.0, m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - along * along));
    for (std::int64_t i = 0; i < count_; ++i)
      squares += double(weights_.data[i]) * double(weights_.data[i]);
    std::copy(whole_.begin(), whole_.end(), slot.whole.begin());
    T* const own = slot.whole.data() + kPatchFeatures + kCloudFeatures;
    own[0] = T(std::log(scatter_ / extent_ + kLeastShare));
    own[1] = T(root[1] / std::max(root[2], kLeastExtent));
    own[2] = T(std::abs(along) / extent_);
    own[3] = T(across / extent_);
    own[4] = T(std::log(extent_));
    own[5] = T(-std::log(squares));
  }

  /// What becomes of a neighbour's numbers: they are kept for scores and their plain sum is taken,
  /// or they are the last ones, activated, and summed by weight.
  enum class Last { kNo, kYes };

  /// The two layers of every point, a few points at a time: the part of the first one that no flip
  /// changes is computed once. Leaves `own` and `pooled`.
  template <Last kLast>
  void run_own(const PackedStage<T>& stage, const Flip* flips, PatchSlot<T>& slot) {
    const std::vector<T> first_bias = first_biases(stage, slot);
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
  std::vector<T> first_biases(const PackedStage<T>& stage, const PatchSlot<T>& slot) const {
    const DenseLayer<T>& first = stage.raw->own[0];
    std::vector<T> result(static_cast<std::size_t>(width_));
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
    describe(slot);
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
    softmax();
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

  WeightedHeights<T> heights() const {
    return {count_, flat_[0].data, flat_[1].data, flat_[2].data, weights_.data};
  }
  JetPlace jet_place() const {
    JetPlace place{0, 0, stiffness_};
    for (int c = 0; c < 3; ++c) {
      place.first -= plane_.mean[c] * plane_.axes[3 * c + 1] / extent_;
      place.second -= plane_.mean[c] * plane_.axes[3 * c + 2] / extent_;
    }
    return place;
  }
  /// Of the weighted patch as `describe` left it.
  PatchJet jet() const { return patch_jet<T>(heights(), jet_place()); }

  /// After run_own<Last::kYes> of the last stage.
  Line line(const Flip& flip, const PatchJet& jet, std::int64_t f, PatchSlot<T>& slot) {
    constexpr double kLeastScatter = 1e-3;
    Line line{};
    T* const told = &pooled_at(slot, f, 2 * width_);
    for (std::size_t k = 0; k < 2; ++k) {
      line.slopes[k] = flip[0] * flip[k + 1] * jet.slopes[k];
      told[k] = T(line.slopes[k]);
    }
    told[2] = T(std::sqrt(jet.slopes[0] * jet.slopes[0] + jet.slopes[1] * jet.slopes[1]));
    told[3] = T(std::log(jet.scatter + kLeastScatter));
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

  static constexpr double kLogitLimit = 8, kStiffnessLimit = 8, kUsualStiffness = 3;
  static constexpr int kPanelLanes = 2;
  static constexpr std::int64_t kPanel = kPanelLanes * kWidth<T>;  // points in flight

  std::int64_t count_, room_, width_, flips_;
  Scratch<T> scratch_;
  std::vector<PackedStage<T>> stages_;
  PackedStage<T> normal_;
  std::vector<PatchSlot<T>> slots_;
  DenseLayer<T> scales_[2]{{nullptr, nullptr}, {nullptr, nullptr}};
  std::vector<T> chosen_;  // after the first layer of scales_
  std::array<T, static_cast<std::size_t>(kScales) + 1> share_{};
  Rows<T> windows_, start_;  // [kScales, count], and their mixture
  Rows<T> flat_[3];          // centred places over the extent
  Rows<T> x_, features_, weights_, logits_, scores_;
  Rows<T> panel_base_, panel_along_[3], panel_hidden_;
  Rows<T> tops_, sums_;  // [flips width, lanes]: maxima and sums so far
  std::array<T, static_cast<std::size_t>(kPatchFeatures + kCloudFeatures)> whole_{};
  double extent_ = 1, scatter_ = 0, stiffness_ = 0;
  std::vector<T> rows_;
  WeightedPlane plane_{};
  T most_ = 0;
};

}  // namespace
}  // namespace equiframe::kernels
