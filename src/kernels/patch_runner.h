// The stages of kernels/patch_network.h on one patch, for evaluation and for training, as compiled
// for the instruction set of the including source.
#pragma once

#include <array>
#include <cmath>

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
  Rows<T> hidden;    // [width, count], after the first layer
  Rows<T> own;       // [width, count], after the second one
  std::array<T, kPatchFeatures + 2> whole{};
  std::vector<T> pooled, between, context;  // [2 width], [width], [width]
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
  PatchRunner(const PatchNetwork<T>& network, std::int64_t count, std::size_t slots)
      : count_(count), width_(network.normal.own[1].out), slots_(slots) {
    for (const PatchStage<T>& stage : network.stages) stages_.push_back(packed(stage));
    normal_ = packed(network.normal);
    x_ = scratch_.take(3, count);
    features_ = scratch_.take(kPointFeatures, count);
    weights_ = scratch_.take(1, count);
    logits_ = scratch_.take(1, count);
    scores_ = scratch_.take(1, count);
    base_ = scratch_.take(width_, count);
    for (Rows<T>& part : parts_) part = scratch_.take(width_, count);
    rows_.resize(static_cast<std::size_t>(3 * count));
    for (PatchSlot<T>& slot : slots_) {
      slot.scalars = scratch_.take(kScalarInputs, count);
      for (Rows<T>& part : slot.along) part = scratch_.take(3, count);
      slot.hidden = scratch_.take(width_, count);
      slot.own = scratch_.take(width_, count);
      slot.pooled.resize(static_cast<std::size_t>(2 * width_));
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

  /// The input of a stage, the part of its first layer that no flip changes, and what each axis
  /// adds to it.
  void prepare(const PackedStage<T>& stage, PatchSlot<T>& slot) {
    describe(slot);
    const DenseLayer<T>& first = stage.raw->own[0];
    for (std::int64_t o = 0; o < width_; ++o) {
      T sum = first.bias[o];
      for (std::int64_t c = 0; c < kPatchFeatures + 2; ++c)
        sum +=
            first.weight[o * first.in + kWholeInput + c] * slot.whole[static_cast<std::size_t>(c)];
      for_lanes<T>(count_, [&](std::int64_t i) { store(base_.at(o) + i, splat<Lanes<T>>(sum)); });
    }
    multiply<Start::kSelf>(width_, count_, kScalarInputs, stage.scalars.left(),
                           read_only(slot.scalars), base_);
    for (int axis = 0; axis < 3; ++axis)
      multiply<Start::kZero>(width_, count_, 3, stage.along[axis].left(),
                             read_only(slot.along[axis]), parts_[axis]);
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

  /// own = W2 relu(first layer) + b2 of the flipped patch.
  void run_own(const PackedStage<T>& stage, const Flip& flip, PatchSlot<T>& slot) {
    const T s0 = T(flip[0]), s1 = T(flip[1]), s2 = T(flip[2]);
    for (std::int64_t o = 0; o < width_; ++o) {
      const T *base = base_.at(o), *p0 = parts_[0].at(o), *p1 = parts_[1].at(o),
              *p2 = parts_[2].at(o);
      T *const to = slot.hidden.at(o), *const own = slot.own.at(o);
      const Lanes<T> bias = splat<Lanes<T>>(stage.raw->own[1].bias[o]);
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> z =
            load(base + i) + s0 * load(p0 + i) + s1 * load(p1 + i) + s2 * load(p2 + i);
        store(to + i, relu<T>(z));
        store(own + i, bias);
      });
    }
    multiply<Start::kSelf>(width_, count_, width_, stage.own.left(), read_only(slot.hidden),
                           slot.own);
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
  void run_pooled(const PackedStage<T>& stage, PatchSlot<T>& slot, T* y) const {
    dense(stage.raw->pooled[0], slot.pooled.data(), slot.between.data());
    for (T& value : slot.between) value = std::max(value, T(0));
    dense(stage.raw->pooled[1], slot.between.data(), y);
  }

  /// Of real points only: the last lanes of a row may hold none.
  T largest(const T* row) const {
    T most = row[0];
    std::int64_t i = 0;
    Lanes<T> top = splat<Lanes<T>>(most);
    for (; i + kWidth<T> <= count_; i += kWidth<T>) {
      const Lanes<T> value = load(row + i);
      top = value > top ? value : top;
    }
    for (int lane = 0; lane < kWidth<T>; ++lane) most = std::max(most, top[lane]);
    for (; i < count_; ++i) most = std::max(most, row[i]);
    return most;
  }
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

  /// Adds the scores of the flipped patch to scores_.
  void add_scores(const PackedStage<T>& stage, const Flip& flip, PatchSlot<T>& slot) {
    run_own(stage, flip, slot);
    for (std::int64_t o = 0; o < width_; ++o) {
      slot.pooled[static_cast<std::size_t>(o)] = largest(slot.own.at(o));
      slot.pooled[static_cast<std::size_t>(width_ + o)] = sum_of(slot.own.at(o)) / T(count_);
    }
    run_pooled(stage, slot, slot.context.data());
    const DenseLayer<T>& last = stage.raw->score;
    for (std::int64_t o = 0; o < width_; ++o) {
      const T shift = slot.context[static_cast<std::size_t>(o)];
      const Lanes<T> factor = splat<Lanes<T>>(last.weight[o]);
      const T* own = slot.own.at(o);
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> active = relu<T>(load(own + i) + shift);
        store(scores_.data + i, multiply_add(factor, active, load(scores_.data + i)));
      });
    }
  }

  void clear_scores() {
    for_lanes<T>(count_, [&](std::int64_t i) { store(scores_.data + i, Lanes<T>{}); });
  }

  /// Takes the scores, times `share`, into the logits, and fits the plane anew.
  void weigh(T share) {
    for_lanes<T>(count_, [&](std::int64_t i) {
      store(logits_.data + i, load(logits_.data + i) + load(scores_.data + i) * share);
    });
    softmax();
    plane_ = fit();
  }

  /// A normal in the frame, (1, a, b) over its length, and in space.
  struct Line {
    double slopes[2];
    double length;
    double local[3];
    double normal[3];
  };

  /// Leaves `own` after its activation.
  Line line(const Flip& flip, PatchSlot<T>& slot) {
    run_own(normal_, flip, slot);
    for (std::int64_t o = 0; o < width_; ++o) {
      T* const row = slot.own.at(o);
      for_lanes<T>(count_, [&](std::int64_t i) { store(row + i, relu<T>(load(row + i))); });
      slot.pooled[static_cast<std::size_t>(o)] = largest(row);
      slot.pooled[static_cast<std::size_t>(width_ + o)] = product_of(row, weights_.data);
    }
    T slopes[2];
    run_pooled(normal_, slot, slopes);
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

  std::int64_t count_, width_;
  Scratch<T> scratch_;
  std::vector<PackedStage<T>> stages_;
  PackedStage<T> normal_;
  std::vector<PatchSlot<T>> slots_;
  Rows<T> x_, features_, weights_, logits_, scores_, base_, parts_[3];
  std::array<T, kPatchFeatures> whole_{};
  std::vector<T> rows_;
  WeightedPlane plane_{};
  T most_ = 0;
};

}  // namespace
}  // namespace equiframe::kernels
