// kernels/patch_network.h as compiled for the instruction set of the including source.
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
  kCentredInput = 0,
  kPlaceInput = 3,
  kDirectionInput = 6,
  kFixedInput = 9,
  kLogitInput = kFixedInput + kPointFeatures - 3,
  kWeightInput,
  kHeightInput,
  kShareInput,
  kWholeInput,
  kPatchInputs = kWholeInput + kPatchFeatures + 2
};
constexpr std::int64_t kScalarInputs = kWholeInput - kFixedInput;

/// The four sign changes that keep a frame right-handed.
constexpr std::array<std::array<int, 3>, 4> kFlips{
    {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

struct WeightedPlane {
  double mean[3], values[3];
  double axes[9];  ///< columns, right-handed; the first is the normal
};

/// Weights of a stage as the products want them.
template <class T>
struct PackedStage {
  Rows<T> scalars;   // [width, kScalarInputs]
  Rows<T> along[3];  // [width, 3]: centred, place and direction along one axis
  Rows<T> own;       // [width, width]
  const PatchStage<T>* raw;
};

template <class T>
class PatchRunner {
 public:
  PatchRunner(const PatchNetwork<T>& network, std::int64_t count)
      : count_(count), width_(network.normal.own[1].out) {
    for (const PatchStage<T>& stage : network.stages) stages_.push_back(packed(stage));
    normal_ = packed(network.normal);
    x_ = scratch_.take(3, count);
    features_ = scratch_.take(kPointFeatures, count);
    scalars_ = scratch_.take(kScalarInputs, count);
    weights_ = scratch_.take(1, count);
    logits_ = scratch_.take(1, count);
    scores_ = scratch_.take(1, count);
    for (Rows<T>& part : along_) part = scratch_.take(3, count);
    base_ = scratch_.take(width_, count);
    for (Rows<T>& part : parts_) part = scratch_.take(width_, count);
    hidden_ = scratch_.take(width_, count);
    own_ = scratch_.take(width_, count);
    rows_.resize(static_cast<std::size_t>(3 * count));
    pooled_.resize(static_cast<std::size_t>(2 * width_));
    between_.resize(static_cast<std::size_t>(width_));
    context_.resize(static_cast<std::size_t>(width_));
    first_bias_.resize(static_cast<std::size_t>(width_));
  }

  void run(const double* offsets, PatchNormal* to) {
    if (!place(offsets)) {
      *to = {{0, 0, 1}, 1, {}};
      return;
    }
    plane_ = fit();
    for (const PackedStage<T>& stage : stages_) {
      prepare(stage);
      for_lanes<T>(count_, [&](std::int64_t i) { store(scores_.data + i, Lanes<T>{}); });
      for (const auto& flip : kFlips) score(stage, flip);
      for_lanes<T>(count_, [&](std::int64_t i) {
        store(logits_.data + i, load(logits_.data + i) + load(scores_.data + i) * T(0.25));
      });
      softmax();
      plane_ = fit();
    }
    prepare(normal_);
    std::array<double, 9> lines{};
    for (const auto& flip : kFlips) add_line(flip, lines);
    finish(lines, to);
  }

 private:
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

  /// The patch in the unit ball with its features and first weights; false if it is one point.
  bool place(const double* offsets) {
    double radius = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      const double* p = offsets + 3 * i;
      radius = std::max(radius, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    if (!(radius > 0)) return false;
    const double scale = 1 / std::sqrt(radius);
    for (std::int64_t i = 0; i < count_; ++i)
      for (std::int64_t c = 0; c < 3; ++c)
        rows_[static_cast<std::size_t>(3 * i + c)] = x_.at(c)[i] = T(offsets[3 * i + c] * scale);
    patch_features<T>(count_, rows_.data(), {features_.data, features_.row, 1, whole_.data()});
    for (std::int64_t c = 0; c < kPointFeatures - 3; ++c)
      std::memcpy(scalars_.at(c), features_.at(3 + c),
                  sizeof(T) * static_cast<std::size_t>(count_));
    constexpr T kRim = T(1e-3);
    for (std::int64_t i = 0; i < count_; ++i) {
      const T a = x_.at(0)[i], b = x_.at(1)[i], c = x_.at(2)[i];
      const T inside = 1 - (a * a + b * b + c * c);
      logits_.data[i] = std::log(inside * inside + kRim);
    }
    softmax();
    return true;
  }

  void softmax() {
    T most = logits_.data[0];
    for (std::int64_t i = 1; i < count_; ++i) most = std::max(most, logits_.data[i]);
    most_ = most;
    for_lanes<T>(count_, [&](std::int64_t i) {  // 1 + exp(-z) at z = most - logit
      store(weights_.data + i, logistic_denominator(most - load(logits_.data + i)) - T(1));
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

  /// The part of the first layer that no flip changes, and what each axis adds to it.
  void prepare(const PackedStage<T>& stage) {
    constexpr double kLeastExtent = 1e-6, kLeastShare = 1e-3, kOfExtent = 0.02;
    constexpr T kLogitLimit = 8;
    const double scatter = std::sqrt(std::max(0.0, plane_.values[0]));
    double extent = 0;
    for (const double value : plane_.values) extent += std::max(0.0, value);
    extent = std::max(std::sqrt(extent), kLeastExtent);
    whole_[kPatchFeatures] = T(std::log(scatter / extent + kLeastShare));
    whole_[kPatchFeatures + 1] = T(extent);
    const double* v = plane_.axes;
    for (int axis = 0; axis < 3; ++axis) {
      const T a = T(v[axis]), b = T(v[3 + axis]), c = T(v[6 + axis]);
      const T shift =
          T(plane_.mean[0] * v[axis] + plane_.mean[1] * v[3 + axis] + plane_.mean[2] * v[6 + axis]);
      const Rows<T>& to = along_[axis];
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> here =
            a * load(x_.at(0) + i) + b * load(x_.at(1) + i) + c * load(x_.at(2) + i);
        store(to.at(0) + i, here - shift);
        store(to.at(1) + i, here);
        store(to.at(2) + i, a * load(features_.at(0) + i) + b * load(features_.at(1) + i) +
                                c * load(features_.at(2) + i));
      });
    }
    const T band = T(scatter + kOfExtent * extent), points = T(count_), most = most_ - kLogitLimit;
    T* const logit = scalars_.at(kLogitInput - kFixedInput);
    T* const weight = scalars_.at(kWeightInput - kFixedInput);
    T* const height = scalars_.at(kHeightInput - kFixedInput);
    T* const share = scalars_.at(kShareInput - kFixedInput);
    for_lanes<T>(count_, [&](std::int64_t i) {
      store(logit + i, relu<T>(load(logits_.data + i) - most));
      store(weight + i, load(weights_.data + i) * points);
      const Lanes<T> signed_height = load(along_[0].at(0) + i);
      const Lanes<T> h = signed_height < T(0) ? -signed_height : signed_height;
      store(height + i, h);
      store(share + i, h / (h + band));
    });
    const DenseLayer<T>& first = stage.raw->own[0];
    for (std::int64_t o = 0; o < width_; ++o) {
      T sum = first.bias[o];
      for (std::int64_t c = 0; c < kPatchFeatures + 2; ++c)
        sum += first.weight[o * first.in + kWholeInput + c] * whole_[static_cast<std::size_t>(c)];
      for_lanes<T>(count_, [&](std::int64_t i) { store(base_.at(o) + i, splat<Lanes<T>>(sum)); });
    }
    multiply<Start::kSelf>(width_, count_, kScalarInputs, stage.scalars.left(), read_only(scalars_),
                           base_);
    for (int axis = 0; axis < 3; ++axis)
      multiply<Start::kZero>(width_, count_, 3, stage.along[axis].left(), read_only(along_[axis]),
                             parts_[axis]);
  }

  /// own_ = W2 relu(first layer) + b2 of the flipped patch.
  void run_own(const PackedStage<T>& stage, const std::array<int, 3>& flip) {
    const T s0 = T(flip[0]), s1 = T(flip[1]), s2 = T(flip[2]);
    for (std::int64_t o = 0; o < width_; ++o) {
      const T *base = base_.at(o), *p0 = parts_[0].at(o), *p1 = parts_[1].at(o),
              *p2 = parts_[2].at(o);
      T* const to = hidden_.at(o);
      const Lanes<T> bias = splat<Lanes<T>>(stage.raw->own[1].bias[o]);
      T* const own = own_.at(o);
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> z =
            load(base + i) + s0 * load(p0 + i) + s1 * load(p1 + i) + s2 * load(p2 + i);
        store(to + i, relu<T>(z));
        store(own + i, bias);
      });
    }
    multiply<Start::kSelf>(width_, count_, width_, stage.own.left(), read_only(hidden_), own_);
  }

  /// y = W relu(U x + a) + b for one row.
  static void small_perceptron(const DenseLayer<T> (&layers)[2], const T* x, T* between, T* y) {
    dense(layers[0], x, between);
    for (std::int64_t o = 0; o < layers[0].out; ++o) between[o] = std::max(between[o], T(0));
    dense(layers[1], between, y);
  }
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

  /// Real points only: the last lanes of a row may hold none.
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
  T sum_of(const T* row, const T* factors) const {
    std::int64_t i = 0;
    Lanes<T> sums{};
    for (; i + kWidth<T> <= count_; i += kWidth<T>)
      sums = factors == nullptr ? sums + load(row + i)
                                : multiply_add(load(factors + i), load(row + i), sums);
    T sum = total(sums);
    for (; i < count_; ++i) sum += factors == nullptr ? row[i] : factors[i] * row[i];
    return sum;
  }

  void score(const PackedStage<T>& stage, const std::array<int, 3>& flip) {
    run_own(stage, flip);
    for (std::int64_t o = 0; o < width_; ++o) {
      pooled_[static_cast<std::size_t>(o)] = largest(own_.at(o));
      pooled_[static_cast<std::size_t>(width_ + o)] = sum_of(own_.at(o), nullptr) / T(count_);
    }
    small_perceptron(stage.raw->pooled, pooled_.data(), between_.data(), context_.data());
    const DenseLayer<T>& last = stage.raw->score;
    for (std::int64_t o = 0; o < width_; ++o) {
      const T shift = context_[static_cast<std::size_t>(o)], factor = last.weight[o];
      const T* own = own_.at(o);
      for_lanes<T>(count_, [&](std::int64_t i) {
        const Lanes<T> active = relu<T>(load(own + i) + shift);
        store(scores_.data + i,
              multiply_add(splat<Lanes<T>>(factor), active, load(scores_.data + i)));
      });
    }
  }

  void add_line(const std::array<int, 3>& flip, std::array<double, 9>& lines) {
    run_own(normal_, flip);
    for (std::int64_t o = 0; o < width_; ++o) {
      T* const row = own_.at(o);
      for_lanes<T>(count_, [&](std::int64_t i) { store(row + i, relu<T>(load(row + i))); });
      pooled_[static_cast<std::size_t>(o)] = largest(row);
      pooled_[static_cast<std::size_t>(width_ + o)] = sum_of(row, weights_.data);
    }
    T slopes[2];
    small_perceptron(normal_.raw->pooled, pooled_.data(), between_.data(), slopes);
    const double a = double(slopes[0]), b = double(slopes[1]);
    const double length = std::sqrt(1 + a * a + b * b);
    const double local[3] = {flip[0] / length, flip[1] * a / length, flip[2] * b / length};
    double n[3];
    for (int c = 0; c < 3; ++c)
      n[c] = plane_.axes[3 * c] * local[0] + plane_.axes[3 * c + 1] * local[1] +
             plane_.axes[3 * c + 2] * local[2];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        lines[static_cast<std::size_t>(3 * r + c)] += n[r] * n[c] / double(kFlips.size());
  }

  void finish(const std::array<double, 9>& lines, PatchNormal* to) const {
    double values[3], vectors[9];
    eigh3(1, lines.data(), values, vectors);
    for (int c = 0; c < 3; ++c) {
      to->normal[c] = vectors[3 * c + 2];
      to->variance[c] = plane_.values[c];
    }
    to->agreement = values[2];
  }

  std::int64_t count_, width_;
  Scratch<T> scratch_;
  std::vector<PackedStage<T>> stages_;
  PackedStage<T> normal_;
  Rows<T> x_, features_, scalars_, weights_, logits_, scores_, base_, hidden_, own_;
  Rows<T> along_[3], parts_[3];
  std::array<T, kPatchFeatures + 2> whole_{};
  std::vector<T> rows_, pooled_, between_, context_, first_bias_;
  WeightedPlane plane_{};
  T most_ = 0;
};

template <class T>
void patch_normals_here(const PatchNetwork<T>& network, std::int64_t patches, std::int64_t count,
                        const double* offsets, PatchNormal* normals) {
  PatchRunner<T> runner(network, count);
  for (std::int64_t p = 0; p < patches; ++p) runner.run(offsets + 3 * count * p, normals + p);
}

}  // namespace
}  // namespace equiframe::kernels
