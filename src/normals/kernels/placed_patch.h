// One patch of kernels/patch_network.h: its points with their features, what they weigh by now, the
// plane through them, and how a stage is told of all that.
#pragma once

#include <array>
#include <cmath>

#include "normals/kernels/network_constants.h"
#include "normals/kernels/patch_parts.h"

namespace equiframe::kernels::inline normals {
namespace {

template <class T>
class PlacedPatch {
 public:
  PlacedPatch(const DenseLayer<T>* scales, std::int64_t count)
      : count_(count),
        room_((count + kPanel - 1) / kPanel * kPanel),
        scales_{scales[0], scales[1]} {
    chosen_.resize(static_cast<std::size_t>(scales[0].out));
    windows_ = scratch_.take(kScales, room_);
    start_ = scratch_.take(1, room_);
    x_ = scratch_.take(3, room_);
    features_ = scratch_.take(kPointFeatures, room_);
    weights_ = scratch_.take(1, room_);
    logits_ = scratch_.take(1, room_);
    for (Rows<T>& part : flat_) part = scratch_.take(1, room_);
    rows_.resize(static_cast<std::size_t>(3 * count));
  }

 protected:
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
  T rim() const { return T(PatchConstants::kRim) / T(count_); }

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
    stiffness_ = std::exp(std::clamp(double(*end), -PatchConstants::kStiffnessLimit,
                                     PatchConstants::kStiffnessLimit) -
                          PatchConstants::kUsualStiffness);
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
    constexpr double kReach = PatchConstants::kReach;
    describe_whole(slot);
    const double scatter = scatter_;
    const T unit = T(1 / extent_), soft = T(1 / (kReach * kReach)),
            band = T(scatter / extent_ + PatchConstants::kBand);
    const double* v = plane_.axes;
    T axes[9], shift[3] = {};
    for (int k = 0; k < 9; ++k) axes[k] = T(v[k]);
    for (int axis = 0; axis < 3; ++axis)
      shift[axis] = T(
          (plane_.mean[0] * v[axis] + plane_.mean[1] * v[3 + axis] + plane_.mean[2] * v[6 + axis]) /
          extent_);
    const T points = T(count_), floor = most_ - T(PatchConstants::kLogitLimit);
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
      store(scalars[4] + i, weight / (T(1) + weight * T(1 / PatchConstants::kHeavy)));
    });
    for (std::int64_t c = 0; c < kPointFeatures - 3; ++c)
      std::memcpy(slot.scalars.at(c), features_.at(3 + c),
                  sizeof(T) * static_cast<std::size_t>(count_));
  }

  /// And extent_ and scatter_.
  void describe_whole(PatchSlot<T>& slot) {
    constexpr double kMinExtent = PatchConstants::kMinExtent;
    double root[3], sum = 0, squares = 0;
    for (int k = 0; k < 3; ++k) {
      const double value = std::max(0.0, plane_.values[k]);
      root[k] = std::sqrt(value);
      sum += value;
    }
    extent_ = std::max(std::sqrt(sum), kMinExtent);
    scatter_ = std::hypot(root[0], kFlatness * extent_);
    const double* m = plane_.mean;
    const double along = m[0] * plane_.axes[0] + m[1] * plane_.axes[3] + m[2] * plane_.axes[6];
    const double across =
        std::sqrt(std::max(0.0, m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - along * along));
    for (std::int64_t i = 0; i < count_; ++i)
      squares += double(weights_.data[i]) * double(weights_.data[i]);
    std::copy(whole_.begin(), whole_.end(), slot.whole.begin());
    T* const own = slot.whole.data() + kPatchFeatures + kCloudFeatures;
    own[0] = T(std::log(scatter_ / extent_ + PatchConstants::kMinShare));
    own[1] = T(root[1] / std::max(root[2], kMinExtent));
    own[2] = T(std::abs(along) / extent_);
    own[3] = T(across / extent_);
    own[4] = T(std::log(extent_));
    own[5] = T(-std::log(squares));
  }

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

  static constexpr int kPanelLanes = 2;
  static constexpr std::int64_t kPanel = kPanelLanes * kWidth<T>;  // points in flight

  std::int64_t count_, room_;
  Scratch<T> scratch_;
  DenseLayer<T> scales_[2];
  Numbers<T> chosen_;  // after the first layer of scales_
  std::array<T, static_cast<std::size_t>(kScales) + 1> share_{};
  Rows<T> windows_, start_;  // [kScales, count], and their mixture
  Rows<T> flat_[3];          // centred places over the extent
  Rows<T> x_, features_, weights_, logits_;
  std::array<T, static_cast<std::size_t>(kPatchFeatures + kCloudFeatures)> whole_{};
  double extent_ = 1, scatter_ = 0, stiffness_ = 0;
  Numbers<T> rows_;
  WeightedPlane plane_{};
  T most_ = 0;
};

}  // namespace
}  // namespace equiframe::kernels::inline normals
