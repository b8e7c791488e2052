#include "normals/kernels/patch_runner.h"

namespace equiframe::kernels::inline normals {
namespace {

/// sums [m, n] += A [m, count] B [n, count]^T: products of rows, a few at a time.
template <class T>
class RowProducts {
 public:
  explicit RowProducts(std::int64_t count) : count_(count) {}

  /// Element (r, c) of the result is `to[r * row + c * step]`.
  void add(Rows<T> a, std::int64_t rows, Rows<T> b, std::int64_t cols, T* to, std::int64_t row,
           std::int64_t step) const {
    for (std::int64_t r = 0; r < rows; r += kHigh)
      for (std::int64_t c = 0; c < cols; c += kWide)
        tile(a, r, std::min(kHigh, rows - r), b, c, std::min(kWide, cols - c), to, row, step);
  }

 private:
  static constexpr std::int64_t kHigh = 4, kWide = 3;

  void tile(Rows<T> a, std::int64_t r, std::int64_t high, Rows<T> b, std::int64_t c,
            std::int64_t wide, T* to, std::int64_t row, std::int64_t step) const {
    const T *left[kHigh], *right[kWide];
    for (std::int64_t m = 0; m < kHigh; ++m) left[m] = a.at(r + std::min(m, high - 1));
    for (std::int64_t n = 0; n < kWide; ++n) right[n] = b.at(c + std::min(n, wide - 1));
    Lanes<T> sums[kHigh][kWide] = {};
    std::int64_t i = 0;
    for (; i + kWidth<T> <= count_; i += kWidth<T>) {
      Lanes<T> factors[kWide];
#pragma GCC unroll 3
      for (int n = 0; n < kWide; ++n) factors[n] = load(right[n] + i);
#pragma GCC unroll 4
      for (int m = 0; m < kHigh; ++m) {
        const Lanes<T> value = load(left[m] + i);
#pragma GCC unroll 3
        for (int n = 0; n < kWide; ++n) sums[m][n] = multiply_add(value, factors[n], sums[m][n]);
      }
    }
    for (std::int64_t m = 0; m < high; ++m)
      for (std::int64_t n = 0; n < wide; ++n) {
        T sum = total(sums[m][n]);
        for (std::int64_t rest = i; rest < count_; ++rest) sum += left[m][rest] * right[n][rest];
        to[(r + m) * row + (c + n) * step] += sum;
      }
  }

  std::int64_t count_;
};

template <class T>
class PatchTraining final : PatchRunner<T> {
  using Base = PatchRunner<T>;

 public:
  PatchTraining(const PatchNetwork<T>& network, std::int64_t count)
      : Base(network, count, network.stages.size() + 1, 1), products_(count) {
    d_own_ = this->scratch_.take(this->width_, this->room_);
    d_hidden_ = this->scratch_.take(this->width_, this->room_);
    d_logits_ = this->scratch_.take(1, this->room_);
    d_pooled_.resize(static_cast<std::size_t>(this->pooled_width()));
    d_between_.resize(static_cast<std::size_t>(this->width_));
    d_context_.resize(static_cast<std::size_t>(this->width_));
  }

  void forward(const T* x, const T* cloud, const std::uint8_t* flips, T* normal) {
    run(x, cloud, flips);
    for (int c = 0; c < 3; ++c) normal[c] = T(line_.normal[c]);
  }

  void backward(const T* x, const T* cloud, const std::uint8_t* flips, const T* d_normal,
                const PatchGradients<T>& to) {
    if (!run(x, cloud, flips)) return;
    const std::size_t last = this->stages_.size();
    const Flip& flip = kFlips[flips[last]];
    line_backward(flip, d_normal, to.normal);
    surface_backward();
    for (std::size_t k = 0; k < last; ++k)
      scores_backward(this->stages_[k], this->slots_[k], kFlips[flips[k]], to.stages[k]);
    scales_backward(to);
  }

 private:
  bool run(const T* x, const T* cloud, const std::uint8_t* flips) {
    line_ = {};
    line_.normal[2] = 1;
    if (!this->place(x, cloud)) return false;
    std::size_t k = 0;
    for (const PackedStage<T>& stage : this->stages_) {
      this->run_stage(stage, &kFlips[flips[k]], T(1), this->slots_[k]);
      ++k;
    }
    this->describe(this->slots_[k]);
    this->template run_own<Base::Last::kYes>(this->normal_, &kFlips[flips[k]], this->slots_[k]);
    jet_ = this->jet();
    line_ = this->line(kFlips[flips[k]], jet_, 0, this->slots_[k]);
    return true;
  }

  /// n = R u / |u|, u = (1, a, b).
  void line_backward(const Flip& flip, const T* d_normal, const PatchStageGradient<T>& to) {
    PatchSlot<T>& slot = this->slots_.back();
    double local[3] = {0, 0, 0}, along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t c = 0; c < 3; ++c)
        local[axis] += this->plane_.axes[3 * c + axis] * flip[axis] * double(d_normal[c]);
      along += local[axis] * line_.local[axis];
    }
    T d_correction[2];
    for (int s = 0; s < 2; ++s) {
      const double d_slope = (local[s + 1] - line_.local[s + 1] * along) / line_.length;
      d_correction[s] = T(d_slope);
      d_jet_[s] = d_slope * flip[0] * flip[static_cast<std::size_t>(s) + 1];
    }
    pooled_backward(this->normal_, slot, d_correction, to);
    for (std::int64_t o = 0; o < this->width_; ++o) {
      const T mean = d_pooled_[static_cast<std::size_t>(this->width_ + o)];
      const T *own = slot.own.at(o), *weights = this->weights_.data;
      T* const d = d_own_.at(o);
      for_lanes<T>(this->count_, [&](std::int64_t i) {
        const Lanes<T> slope = load(weights + i) * mean;
        store(d + i, load(own + i) > T(0) ? slope : Lanes<T>{});
      });
      add_to_largest(slot, o, /*only_active=*/true);
    }
    own_backward(this->normal_, slot, flip, to);
  }

  /// Into d_logits_, and the stiffness. The frame is taken as it is: against one that is turned a
  /// little the surface has other slopes, but to first order the same normal.
  void surface_backward() {
    const double d_stiffness =
        patch_jet_backward<T>(this->heights(), this->jet_place(), jet_, d_jet_, d_logits_.data);
    d_log_stiffness_ = T(d_stiffness * this->stiffness_);
    const T* const w = this->weights_.data;
    const T mean = row_product(d_logits_.data, w, this->count_);
    for (std::int64_t i = 0; i < this->count_; ++i)
      d_logits_.data[i] = w[i] * (d_logits_.data[i] - mean);
  }

  /// The first logits are those of a mixture of windows; its shares are a softmax.
  void scales_backward(const PatchGradients<T>& to) {
    constexpr auto kLast = static_cast<std::size_t>(kScales);
    std::array<T, kLast + 1> d{};
    T mean = 0;
    for (std::int64_t i = 0; i < this->count_; ++i)
      d_hidden_.data[i] = d_logits_.data[i] / this->start_.data[i];
    for (std::size_t s = 0; s < kLast; ++s) {
      d[s] = row_product(d_hidden_.data, this->windows_.at(static_cast<std::int64_t>(s)),
                         this->count_);
      mean += this->share_[s] * d[s];
    }
    for (std::size_t s = 0; s < kLast; ++s) d[s] = this->share_[s] * (d[s] - mean);
    if (std::abs(this->share_[kLast]) < T(PatchConstants::kStiffnessLimit))
      d[kLast] = d_log_stiffness_;
    Numbers<T>& chosen = this->chosen_;
    d_chosen_.assign(chosen.size(), T(0));
    dense_backward(this->scales_[1], chosen.data(), d.data(), to.scales[1], d_chosen_.data());
    for (std::size_t o = 0; o < chosen.size(); ++o)
      if (!(chosen[o] > T(0))) d_chosen_[o] = 0;
    d_whole_.assign(static_cast<std::size_t>(kPatchFeatures + kCloudFeatures), T(0));
    dense_backward(this->scales_[0], this->whole_.data(), d_chosen_.data(), to.scales[0],
                   d_whole_.data());
  }

  void scores_backward(const PackedStage<T>& stage, PatchSlot<T>& slot, const Flip& flip,
                       const PatchStageGradient<T>& to) {
    const DenseLayer<T>& last = stage.raw->score;
    for (std::int64_t o = 0; o < this->width_; ++o) {
      const T shift = slot.context[static_cast<std::size_t>(o)], factor = last.weight[o];
      const T *own = slot.own.at(o), *ds = d_logits_.data;
      T *const d = d_own_.at(o), *const active = d_hidden_.at(o);
      for_lanes<T>(this->count_, [&](std::int64_t i) {
        const Lanes<T> value = relu<T>(load(own + i) + shift);
        store(active + i, value);
        store(d + i, value > T(0) ? load(ds + i) * factor : Lanes<T>{});
      });
      to.score.weight[o] += row_product(active, ds, this->count_);
      d_context_[static_cast<std::size_t>(o)] = row_sum(d, this->count_);
    }
    pooled_backward(stage, slot, d_context_.data(), to);
    for (std::int64_t o = 0; o < this->width_; ++o) {
      const T mean = d_pooled_[static_cast<std::size_t>(this->width_ + o)] / T(this->count_);
      T* const d = d_own_.at(o);
      for_lanes<T>(this->count_, [&](std::int64_t i) { store(d + i, load(d + i) + mean); });
      add_to_largest(slot, o, /*only_active=*/false);
    }
    own_backward(stage, slot, flip, to);
  }

  /// The first of the largest gets it all.
  void add_to_largest(const PatchSlot<T>& slot, std::int64_t o, bool only_active) {
    const T most = slot.pooled[static_cast<std::size_t>(o)];
    if (only_active && !(most > T(0))) return;
    const T* own = slot.own.at(o);
    std::int64_t i = 0;
    while (i + 1 < this->count_ && own[i] != most) ++i;
    d_own_.at(o)[i] += d_pooled_[static_cast<std::size_t>(o)];
  }

  /// d of the small perceptron's result -> d_pooled_.
  void pooled_backward(const PackedStage<T>& stage, const PatchSlot<T>& slot, const T* d,
                       const PatchStageGradient<T>& to) {
    std::fill(d_between_.begin(), d_between_.end(), T(0));
    dense_backward(stage.raw->pooled[1], slot.between.data(), d, to.pooled[1], d_between_.data());
    for (std::size_t o = 0; o < d_between_.size(); ++o)
      if (!(slot.between[o] > T(0))) d_between_[o] = 0;
    std::fill(d_pooled_.begin(), d_pooled_.end(), T(0));
    dense_backward(stage.raw->pooled[0], slot.pooled.data(), d_between_.data(), to.pooled[0],
                   d_pooled_.data());
  }
  static void dense_backward(const DenseLayer<T>& layer, const T* x, const T* dy,
                             const DenseLayerGradient<T>& to, T* dx) {
    for (std::int64_t o = 0; o < layer.out; ++o) {
      const T* w = layer.weight + o * layer.in;
      T* const dw = to.weight + o * layer.in;
      to.bias[o] += dy[o];
      for (std::int64_t c = 0; c < layer.in; ++c) {
        dw[c] += dy[o] * x[c];
        dx[c] += dy[o] * w[c];
      }
    }
  }

  /// From d_own_ to the weights of the two layers.
  void own_backward(const PackedStage<T>& stage, PatchSlot<T>& slot, const Flip& flip,
                    const PatchStageGradient<T>& to) {
    const std::int64_t in = stage.raw->own[0].in;
    for (std::int64_t o = 0; o < this->width_; ++o)
      to.own[1].bias[o] += row_sum(d_own_.at(o), this->count_);
    products_.add(d_own_, this->width_, slot.hidden, this->width_, to.own[1].weight, this->width_,
                  1);
    multiply<Start::kZero>(this->width_, this->count_, this->width_, stage.own.left_transposed(),
                           read_only(d_own_), d_hidden_);
    for (std::int64_t o = 0; o < this->width_; ++o) {
      T *const d = d_hidden_.at(o), *const hidden = slot.hidden.at(o);
      for_lanes<T>(this->count_, [&](std::int64_t i) {
        store(d + i, load(hidden + i) > T(0) ? load(d + i) : Lanes<T>{});
      });
      const T sum = row_sum(d, this->count_);
      to.own[0].bias[o] += sum;
      for (std::size_t c = 0; c < slot.whole.size(); ++c)
        to.own[0].weight[o * in + kWholeInput + static_cast<std::int64_t>(c)] +=
            sum * slot.whole[c];
    }
    products_.add(d_hidden_, this->width_, slot.scalars, kScalarInputs,
                  to.own[0].weight + kFixedInput, in, 1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Rows<T>& along = slot.along[axis];
      if (flip[axis] < 0)
        for (int c = 0; c < 3; ++c)
          for_lanes<T>(this->count_,
                       [&](std::int64_t i) { store(along.at(c) + i, -load(along.at(c) + i)); });
      products_.add(d_hidden_, this->width_, along, 3, to.own[0].weight + axis, in, 3);
    }
  }

  RowProducts<T> products_;
  Rows<T> d_own_, d_hidden_, d_logits_;
  Numbers<T> d_pooled_, d_between_, d_context_, d_chosen_, d_whole_;
  typename Base::Line line_{};
  PatchJet jet_{};
  double d_jet_[2] = {0, 0};
  T d_log_stiffness_ = 0;
};

template <class T>
void forward(const PatchNetwork<T>& network, const PatchSample<T>& sample, T* normals) {
  PatchTraining<T> training(network, sample.count);
  const auto draws = static_cast<std::int64_t>(network.stages.size()) + 1;
  for (std::int64_t p = 0; p < sample.patches; ++p)
    training.forward(sample.x + 3 * sample.count * p, sample.clouds + kCloudFeatures * p,
                     sample.flips + draws * p, normals + 3 * p);
}

template <class T>
void backward(const PatchNetwork<T>& network, const PatchSample<T>& sample, const T* d_normals,
              const PatchGradients<T>& to) {
  PatchTraining<T> training(network, sample.count);
  const auto draws = static_cast<std::int64_t>(network.stages.size()) + 1;
  for (std::int64_t p = 0; p < sample.patches; ++p)
    training.backward(sample.x + 3 * sample.count * p, sample.clouds + kCloudFeatures * p,
                      sample.flips + draws * p, d_normals + 3 * p, to);
}

template <class T>
constexpr PatchTrainingFunctions<T> kTraining{&forward<T>, &backward<T>};

}  // namespace
}  // namespace equiframe::kernels::inline normals

EQUIFRAME_KERNELS(PatchTrainingKernels, {kTraining<float>, kTraining<double>});

#if EQUIFRAME_ONCE
namespace equiframe::kernels::inline normals {

template <class T>
void patch_forward(const PatchNetwork<T>& network, const PatchSample<T>& sample, T* normals) {
  Table<PatchTrainingKernels>::chosen().of<T>().forward(network, sample, normals);
}

template <class T>
void patch_backward(const PatchNetwork<T>& network, const PatchSample<T>& sample,
                    const T* d_normals, const PatchGradients<T>& gradients) {
  Table<PatchTrainingKernels>::chosen().of<T>().backward(network, sample, d_normals, gradients);
}

template void patch_forward(const PatchNetwork<float>&, const PatchSample<float>&, float*);
template void patch_forward(const PatchNetwork<double>&, const PatchSample<double>&, double*);
template void patch_backward(const PatchNetwork<float>&, const PatchSample<float>&, const float*,
                             const PatchGradients<float>&);
template void patch_backward(const PatchNetwork<double>&, const PatchSample<double>&, const double*,
                             const PatchGradients<double>&);

}  // namespace equiframe::kernels::inline normals
#endif
