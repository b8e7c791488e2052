// The stages of kernels/patch_network.h on one patch, for evaluation and for training, as compiled
// for the instruction set of the including source.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "equiframe/kernels/patch_features.h"
#include "equiframe/kernels/patch_network.h"
#include "equiframe/kernels/symmetric_eigen.h"
#include "message_pack.h"

namespace equiframe::kernels {
namespace {

/// Channels of a stage's input, in the order of the first layer's weights.
enum PatchInput : std::int64_t {
  kFixedInput = 9,  // after the place in the frame: centred, from the query, and as a direction
  kLogitInput = kFixedInput + kPointFeatures - 3,
  kWeightInput,
  kHeightInput,
  kShareInput,
  kWholeInput,
  kPatchInputs = kWholeInput + kPatchFeatures + 2
};
constexpr std::int64_t kScalarInputs = kWholeInput - kFixedInput;

using Flip = std::array<int, 3>;
/// The four sign changes that keep a frame right-handed.
constexpr std::array<Flip, kPatchFlips> kFlips{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

struct WeightedPlane {
  double mean[3], values[3];
  double axes[9];  ///< columns, right-handed; the first is the normal
};

/// What a stage is given and what it makes of it, until the next patch.
template <class T>
struct PatchSlot {
  Rows<T> scalars;   // [kScalarInputs, count]
  Rows<T> along[3];  // [3, count]: centred, from the query and as a direction, along one axis
  Rows<T> hidden;    // [width, count], after the first layer; of one flip, if it is kept
  Rows<T> own;       // [flips width, count], after the second one
  std::array<T, kPatchFeatures + 2> whole{};
  std::vector<T> pooled;                     // [flips, 2 width]: largest and sum over the points
  std::vector<T> between, context;           // [width], [width], of the last flip
};

/// Weights of a stage as the products want them.
template <class T>
struct PackedStage {
  Rows<T> scalars;   // [width, kScalarInputs]
  Rows<T> along[3];  // [width, 3]
  Rows<T> own;       // [width, width]
  const PatchStage<T>* raw = nullptr;
};

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
    x_ = scratch_.take(3, room_);
    features_ = scratch_.take(kPointFeatures, room_);
    weights_ = scratch_.take(1, room_);
    logits_ = scratch_.take(1, room_);
    scores_ = scratch_.take(1, room_);
    for (Rows<T>* panel : {&panel_base_, &panel_along_[0], &panel_along_[1], &panel_along_[2],
                           &panel_hidden_, &panel_own_})
      *panel = scratch_.take(width_, kPanel);
    rows_.resize(static_cast<std::size_t>(3 * count));
    for (PatchSlot<T>& slot : slots_) {
      slot.scalars = scratch_.take(kScalarInputs, room_);
      for (Rows<T>& part : slot.along) part = scratch_.take(3, room_);
      if (flips == 1) slot.hidden = scratch_.take(width_, room_);
      slot.own = scratch_.take(flips * width_, room_);
      slot.pooled.resize(static_cast<std::size_t>(2 * flips * width_));
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
  bool place(const U* offsets) {
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
    patch_features<T>(count_, rows_.data(), {features_.data, features_.row, 1, whole_.data()});
    constexpr T kRim = T(1e-3);
    for (std::int64_t i = 0; i < count_; ++i) {
      const T a = x_.at(0)[i], b = x_.at(1)[i], c = x_.at(2)[i];
      const T inside = 1 - (a * a + b * b + c * c);
      logits_.data[i] = std::log(inside * inside + kRim);
    }
    softmax();
    plane_ = fit();
    return true;
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

  /// Two passes in float64: the mean, then the moments about it.
  WeightedPlane fit() const {
    WeightedPlane plane{};
    const T *w = weights_.data, *x = x_.at(0), *y = x_.at(1), *z = x_.at(2);
    double sum = 0, mean[3] = {0, 0, 0};
    for (std::int64_t i = 0; i < count_; ++i) {
      const double weight = double(w[i]);
      sum += weight;
      mean[0] += weight * double(x[i]), mean[1] += weight * double(y[i]);
      mean[2] += weight * double(z[i]);
    }
    for (int c = 0; c < 3; ++c) plane.mean[c] = mean[c] / sum;
    double m[9] = {};
    for (std::int64_t i = 0; i < count_; ++i) {
      const double weight = double(w[i]), a = double(x[i]) - plane.mean[0],
                   b = double(y[i]) - plane.mean[1], c = double(z[i]) - plane.mean[2];
      m[0] += weight * a * a, m[3] += weight * a * b, m[4] += weight * b * b;
      m[6] += weight * a * c, m[7] += weight * b * c, m[8] += weight * c * c;
    }
    for (double& value : m) value /= sum;
    eigh3(1, m, plane.values, plane.axes);
    double* v = plane.axes;
    const double handed = v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) +
                          v[2] * (v[3] * v[7] - v[4] * v[6]);
    if (handed < 0) v[2] = -v[2], v[5] = -v[5], v[8] = -v[8];
    return plane;
  }

  void describe(PatchSlot<T>& slot) {
    constexpr double kLeastExtent = 1e-6, kLeastShare = 1e-3, kOfExtent = 0.02;
    constexpr T kLogitLimit = 8;
    const double scatter = std::sqrt(std::max(0.0, plane_.values[0]));
    double extent = 0;
    for (const double value : plane_.values) extent += std::max(0.0, value);
    extent = std::max(std::sqrt(extent), kLeastExtent);
    std::copy(whole_.begin(), whole_.end(), slot.whole.begin());
    slot.whole[kPatchFeatures] = T(std::log(scatter / extent + kLeastShare));
    slot.whole[kPatchFeatures + 1] = T(extent);
    const double* v = plane_.axes;
    for (int axis = 0; axis < 3; ++axis) {
      const T a = T(v[axis]), b = T(v[3 + axis]), c = T(v[6 + axis]);
      const T shift =
          T(plane_.mean[0] * v[axis] + plane_.mean[1] * v[3 + axis] + plane_.mean[2] * v[6 + axis]);
      const Rows<T>& to = slot.along[axis];
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> here =
            a * load(x_.at(0) + i) + b * load(x_.at(1) + i) + c * load(x_.at(2) + i);
        store(to.at(0) + i, here - shift);
        store(to.at(1) + i, here);
        store(to.at(2) + i, a * load(features_.at(0) + i) + b * load(features_.at(1) + i) +
                                c * load(features_.at(2) + i));
      });
    }
    for (std::int64_t c = 0; c < kPointFeatures - 3; ++c)
      std::memcpy(slot.scalars.at(c), features_.at(3 + c),
                  sizeof(T) * static_cast<std::size_t>(count_));
    const T band = T(scatter + kOfExtent * extent), points = T(count_), floor = most_ - kLogitLimit;
    T* const logit = slot.scalars.at(kLogitInput - kFixedInput);
    T* const weight = slot.scalars.at(kWeightInput - kFixedInput);
    T* const height = slot.scalars.at(kHeightInput - kFixedInput);
    T* const share = slot.scalars.at(kShareInput - kFixedInput);
    for_lanes<T>(count_, [&](std::int64_t i) {
      store(logit + i, relu<T>(load(logits_.data + i) - floor));
      store(weight + i, load(weights_.data + i) * points);
      const Lanes<T> signed_height = load(slot.along[0].at(0) + i);
      const Lanes<T> h = signed_height < T(0) ? -signed_height : signed_height;
      store(height + i, h);
      store(share + i, h / (h + band));
    });
  }

  /// What becomes of a neighbour's numbers: they are kept for scores and their plain sum is taken,
  /// or they are the last ones, activated, and summed by weight.
  enum class Last { kNo, kYes };

  /// The two layers of every point, a few points at a time: the part of the first one that no flip
  /// changes is computed once. Leaves `own` and `pooled`.
  template <Last kLast>
  void run_own(const PackedStage<T>& stage, const Flip* flips, PatchSlot<T>& slot) {
    const std::vector<T> first_bias = first_biases(stage, slot);
    for (std::int64_t f = 0; f < flips_; ++f)
      for (std::int64_t o = 0; o < width_; ++o) {
        pooled_at(slot, f, o) = std::numeric_limits<T>::lowest();
        pooled_at(slot, f, width_ + o) = 0;
      }
    for (std::int64_t n = 0; n < room_; n += kPanel) {
      for (std::int64_t o = 0; o < width_; ++o) fill(panel_base_.at(o), first_bias[static_cast<std::size_t>(o)]);
      multiply<Start::kSelf>(width_, kPanel, kScalarInputs, stage.scalars.left(),
                             Rows<const T>{slot.scalars.data + n, slot.scalars.row}, panel_base_);
      for (int axis = 0; axis < 3; ++axis)
        multiply<Start::kZero>(width_, kPanel, 3, stage.along[axis].left(),
                               Rows<const T>{slot.along[axis].data + n, slot.along[axis].row},
                               panel_along_[axis]);
      for (std::int64_t f = 0; f < flips_; ++f) run_panel<kLast>(stage, flips[f], f, n, slot);
    }
  }

  template <Last kLast>
  void run_panel(const PackedStage<T>& stage, const Flip& flip, std::int64_t f, std::int64_t n,
                 PatchSlot<T>& slot) {
    const T s0 = T(flip[0]), s1 = T(flip[1]), s2 = T(flip[2]);
    const T* const bias = stage.raw->own[1].bias;
    for (std::int64_t o = 0; o < width_; ++o) {
      for_lanes<T>(kPanel, [&](std::int64_t i) {
        const Lanes<T> z = load(panel_base_.at(o) + i) + s0 * load(panel_along_[0].at(o) + i) +
                           s1 * load(panel_along_[1].at(o) + i) + s2 * load(panel_along_[2].at(o) + i);
        store(panel_hidden_.at(o) + i, relu<T>(z));
        if (flips_ == 1) store(slot.hidden.at(o) + n + i, relu<T>(z));
      });
      fill(panel_own_.at(o), bias[o]);
    }
    multiply<Start::kSelf>(width_, kPanel, width_, stage.own.left(), read_only(panel_hidden_),
                           panel_own_);
    const std::int64_t real = std::min(kPanel, count_ - n);
    for (std::int64_t o = 0; o < width_; ++o) {
      T *const from = panel_own_.at(o), *const to = slot.own.at(f * width_ + o) + n;
      Lanes<T> top = splat<Lanes<T>>(std::numeric_limits<T>::lowest()), sum{};
      for_lanes<T>(kPanel, [&](std::int64_t i) {
        Lanes<T> value = load(from + i);
        if constexpr (kLast == Last::kYes) value = relu<T>(value);
        store(to + i, value);
        top = value > top ? value : top;
        sum = kLast == Last::kYes ? multiply_add(load(weights_.data + n + i), value, sum) : sum + value;
      });
      T &most = pooled_at(slot, f, o), &all = pooled_at(slot, f, width_ + o);
      if (real == kPanel) {
        for (int lane = 0; lane < kWidth<T>; ++lane) most = std::max(most, top[lane]);
        all += total(sum);
        continue;
      }
      for (std::int64_t i = 0; i < real; ++i) {
        most = std::max(most, to[i]);
        all += kLast == Last::kYes ? weights_.data[n + i] * to[i] : to[i];
      }
    }
  }

  /// The first layer's bias and what the patch as a whole adds to it.
  std::vector<T> first_biases(const PackedStage<T>& stage, const PatchSlot<T>& slot) const {
    const DenseLayer<T>& first = stage.raw->own[0];
    std::vector<T> result(static_cast<std::size_t>(width_));
    for (std::int64_t o = 0; o < width_; ++o) {
      T sum = first.bias[o];
      for (std::int64_t c = 0; c < kPatchFeatures + 2; ++c)
        sum += first.weight[o * first.in + kWholeInput + c] * slot.whole[static_cast<std::size_t>(c)];
      result[static_cast<std::size_t>(o)] = sum;
    }
    return result;
  }

  static void fill(T* row, T value) {
    for_lanes<T>(kPanel, [&](std::int64_t i) { store(row + i, splat<Lanes<T>>(value)); });
  }
  T& pooled_at(PatchSlot<T>& slot, std::int64_t flip, std::int64_t k) const {
    return slot.pooled[static_cast<std::size_t>(2 * width_ * flip + k)];
  }

  /// y = W x + b for one row.
  static void dense(const DenseLayer<T>& layer, const T* x, T* y) {
    for (std::int64_t o = 0; o < layer.out; ++o) {
      const T* w = layer.weight + o * layer.in;
      Lanes<T> sums{};
      std::int64_t c = 0;
      for (; c + kWidth<T> <= layer.in; c += kWidth<T>)
        sums = multiply_add(load(w + c), load(x + c), sums);
      T sum = layer.bias[o] + total(sums);
      for (; c < layer.in; ++c) sum += w[c] * x[c];
      y[o] = sum;
    }
  }
  void run_pooled(const PackedStage<T>& stage, PatchSlot<T>& slot, std::int64_t flip, T* y) const {
    dense(stage.raw->pooled[0], slot.pooled.data() + 2 * width_ * flip, slot.between.data());
    for (T& value : slot.between) value = std::max(value, T(0));
    dense(stage.raw->pooled[1], slot.between.data(), y);
  }

  /// Of real points only: the last lanes of a row may hold none.
  T sum_of(const T* row) const {
    std::int64_t i = 0;
    Lanes<T> sums{};
    for (; i + kWidth<T> <= count_; i += kWidth<T>) sums += load(row + i);
    T sum = total(sums);
    for (; i < count_; ++i) sum += row[i];
    return sum;
  }
  T product_of(const T* a, const T* b) const {
    std::int64_t i = 0;
    Lanes<T> sums{};
    for (; i + kWidth<T> <= count_; i += kWidth<T>)
      sums = multiply_add(load(a + i), load(b + i), sums);
    T sum = total(sums);
    for (; i < count_; ++i) sum += a[i] * b[i];
    return sum;
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
    plane_ = fit();
  }

  void add_scores(const PackedStage<T>& stage, std::int64_t f, const PatchSlot<T>& slot) {
    const T* const factors = stage.raw->score.weight;
    for (std::int64_t n = 0; n < room_; n += kPanel) {
      Lanes<T> sums[kPanelLanes];
      for (int l = 0; l < kPanelLanes; ++l) sums[l] = load(scores_.data + n + l * kWidth<T>);
      for (std::int64_t o = 0; o < width_; ++o) {
        const T* own = slot.own.at(f * width_ + o) + n;
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
  Line line(const Flip& flip, std::int64_t f, PatchSlot<T>& slot) {
    T slopes[2];
    run_pooled(normal_, slot, f, slopes);
    Line line{{double(slopes[0]), double(slopes[1])}, 1, {}, {}};
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

  static constexpr int kPanelLanes = 2;
  static constexpr std::int64_t kPanel = kPanelLanes * kWidth<T>;  // points in flight

  std::int64_t count_, room_, width_, flips_;
  Scratch<T> scratch_;
  std::vector<PackedStage<T>> stages_;
  PackedStage<T> normal_;
  std::vector<PatchSlot<T>> slots_;
  Rows<T> x_, features_, weights_, logits_, scores_;
  Rows<T> panel_base_, panel_along_[3], panel_hidden_, panel_own_;
  std::array<T, kPatchFeatures> whole_{};
  std::vector<T> rows_;
  WeightedPlane plane_{};
  T most_ = 0;
};

}  // namespace
}  // namespace equiframe::kernels
