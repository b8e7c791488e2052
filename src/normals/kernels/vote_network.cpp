#include "normals/kernels/vote_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "linalg/symmetric_eigen.h"
#include "nn/kernels/one_row.h"
#include "normals/kernels/network_constants.h"
#include "normals/kernels/patch_features.h"
#include "normals/kernels/vote_features.h"
#include "simd/pack.h"

namespace equiframe::kernels::inline normals {
namespace {

template <class T>
class VoteRunner {
 public:
  VoteRunner(const VoteNetwork<T>& network, std::int64_t count)
      : count_(count), width_(network.rounds.front().own.out) {
    for (const VoteRoundWeights<T>& raw : network.rounds) {
      rounds_.push_back(
          {&raw, scratch_.take(width_, kVoteFeatures), scratch_.take(width_, width_)});
      pack(raw.own.weight, {kVoteFeatures}, width_, kVoteFeatures, rounds_.back().own);
      pack(raw.second.weight, {width_}, width_, width_, rounds_.back().second);
    }
    features_ = scratch_.take(kVoteFeatures, count);
    hidden_ = scratch_.take(width_, count);
    own_ = scratch_.take(width_, count);
    logits_ = scratch_.take(2, count);
    weights_ = scratch_.take(2, count);
    bias_.resize(static_cast<std::size_t>(width_));
    pooled_.resize(static_cast<std::size_t>(2 * width_ + kNumbers));
    between_.resize(static_cast<std::size_t>(width_));
    context_.resize(static_cast<std::size_t>(width_ + 1));
  }

  void run(const VotePatches<T>& all, std::int64_t p, T* elected) {
    const VotePatch<T> votes{count_, all.offsets + 3 * count_ * p, all.normals + 3 * count_ * p,
                             all.told + kToldNumbers * count_ * p};
    constexpr T kMinShare = T(VoteConstants::kMinShare), kBell = T(VoteConstants::kBell);
    constexpr T kMaxPlane = T(VoteConstants::kMaxPlane);
    const T* const told = all.own_told + kToldNumbers * p;
    T* const numbers = pooled_.data() + 2 * width_;
    for (int c = 0; c < 2; ++c) numbers[c] = told[c];
    for (int c = 2; c < kToldNumbers; ++c) numbers[c] = std::log(told[c] + kMinShare);
    std::copy_n(all.cloud, kCloudFeatures, numbers + kToldNumbers);
    for (std::int64_t k = 0; k < count_; ++k) {
      const T* x = votes.offsets + 3 * k;
      logits_.at(0)[k] = logits_.at(1)[k] =
          -kBell * std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    T normal[3], plane = T(VoteConstants::kUsualPlane);
    std::copy_n(all.own + 3 * p, 3, normal);
    for (const Round& round : rounds_) {
      plane += score(round, votes, normal, told[2]);
      elect(votes, std::exp(std::clamp(plane, -kMaxPlane, kMaxPlane)), normal);
    }
    std::copy_n(normal, 3, elected);
  }

 private:
  static constexpr std::int64_t kNumbers = kToldNumbers + kCloudFeatures;

  struct Round {
    const VoteRoundWeights<T>* raw;
    Rows<T> own, second;  // weights as the products want them
  };

  /// Adds to the logits and returns what the plane gets.
  T score(const Round& round, const VotePatch<T>& votes, const T* normal, T scatter) {
    const VoteRoundWeights<T>& raw = *round.raw;
    vote_features<T>(votes, normal, scatter, {features_.data, features_.row, 1});
    dense(raw.patch, pooled_.data() + 2 * width_, bias_.data());
    for (std::int64_t o = 0; o < width_; ++o) bias_[static_cast<std::size_t>(o)] += raw.own.bias[o];
    multiply<Start::kColumn>(width_, count_, kVoteFeatures, round.own.left(), read_only(features_),
                             hidden_, bias_.data());
    for (std::int64_t o = 0; o < width_; ++o)
      for_lanes<T>(count_, [&](std::int64_t i) {
        store(hidden_.at(o) + i, relu<T>(load(hidden_.at(o) + i)));
      });
    multiply<Start::kColumn>(width_, count_, width_, round.second.left(), read_only(hidden_), own_,
                             raw.second.bias);
    for (std::int64_t o = 0; o < width_; ++o) {
      pooled_[static_cast<std::size_t>(o)] = row_top(own_.at(o), count_);
      pooled_[static_cast<std::size_t>(width_ + o)] = row_sum(own_.at(o), count_) / T(count_);
    }
    dense(raw.pooled[0], pooled_.data(), between_.data());
    for (T& value : between_) value = std::max(value, T(0));
    dense(raw.pooled[1], between_.data(), context_.data());
    for (int c = 0; c < 2; ++c) add_scores(raw.score, c);
    return context_.back();
  }

  void add_scores(const DenseLayer<T>& layer, std::int64_t c) {
    for_lanes<T>(count_, [&](std::int64_t i) {
      Lanes<T> sum = load(logits_.at(c) + i) + layer.bias[c];
      for (std::int64_t o = 0; o < width_; ++o)
        sum = multiply_add(splat<Lanes<T>>(layer.weight[c * width_ + o]),
                           relu<T>(load(own_.at(o) + i) + context_[static_cast<std::size_t>(o)]),
                           sum);
      store(logits_.at(c) + i, sum);
    });
  }

  /// weights_ = softmax of the logits.
  void weigh() {
    for (int c = 0; c < 2; ++c) {
      T *const logits = logits_.at(c), *const weights = weights_.at(c);
      const T most = row_top(logits, count_);
      for_lanes<T>(count_, [&](std::int64_t i) {  // 1 + exp(-z) at z = most - logit
        store(weights + i, logistic_denominator(most - load(logits + i)) - T(1));
      });
      double sum = 0;
      for (std::int64_t k = 0; k < count_; ++k) sum += double(weights[k]);
      for (std::int64_t k = 0; k < count_; ++k) weights[k] = T(double(weights[k]) / sum);
    }
  }

  void elect(const VotePatch<T>& votes, T plane, T* normal) {
    weigh();
    double mean[3] = {}, lines[9] = {}, places[9] = {};
    for (std::int64_t k = 0; k < count_; ++k)
      for (int c = 0; c < 3; ++c)
        mean[c] += double(weights_.at(1)[k]) * double(votes.offsets[3 * k + c]);
    for (std::int64_t k = 0; k < count_; ++k) {
      double m[3], x[3];
      for (int c = 0; c < 3; ++c) {
        m[c] = double(votes.normals[3 * k + c]);
        x[c] = double(votes.offsets[3 * k + c]) - mean[c];
      }
      const double a = double(weights_.at(0)[k]), b = double(weights_.at(1)[k]);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c <= r; ++c) {
          lines[3 * r + c] += a * m[r] * m[c];
          places[3 * r + c] += b * x[r] * x[c];
        }
    }
    const double share =
        double(plane) / std::max(places[0] + places[4] + places[8], VoteConstants::kMinTrace);
    double values[3], axes[9];
    for (int i = 0; i < 9; ++i) lines[i] -= share * places[i];
    eigh3(1, lines, values, axes);
    for (int c = 0; c < 3; ++c) normal[c] = T(axes[3 * c + 2]);
  }

  std::int64_t count_, width_;
  Scratch<T> scratch_;
  std::vector<Round> rounds_;
  Rows<T> features_, hidden_, own_, logits_, weights_;
  Numbers<T> bias_, pooled_, between_, context_;
};

template <class T>
void normals_of(const VoteNetwork<T>& network, const VotePatches<T>& patches, T* elected) {
  VoteRunner<T> runner(network, patches.count);
  for (std::int64_t p = 0; p < patches.patches; ++p) runner.run(patches, p, elected + 3 * p);
}

}  // namespace
}  // namespace equiframe::kernels::inline normals

EQUIFRAME_KERNELS(VoteKernels, {{&normals_of<float>}, {&normals_of<double>}});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline normals {

template <class T>
void vote_normals(const VoteNetwork<T>& network, const VotePatches<T>& patches, T* elected) {
  Table<VoteKernels>::chosen().of<T>().normals(network, patches, elected);
}

template void vote_normals(const VoteNetwork<float>&, const VotePatches<float>&, float*);
template void vote_normals(const VoteNetwork<double>&, const VotePatches<double>&, double*);

}  // namespace equiframe::kernels::inline normals
#endif
