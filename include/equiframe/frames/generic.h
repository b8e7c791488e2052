#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "equiframe/core/error.h"
#include "equiframe/export.h"
#include "equiframe/frames/frame.h"

/// Frames that need nothing of the group but its contract: they serve groups of your own too.
namespace equiframe::inline frames {

/// F(X) = {e}: no symmetry at all, the baseline every table needs. It keeps no promise.
template <Group G>
class IdentityFrame final : public Frame<G> {
 public:
  explicit IdentityFrame(G group) : group_(std::move(group)) {}
  Guarantee guarantee() const override { return Guarantee::kNone; }

 private:
  FrameSet<G> compute(const Batch& x, const Rng&) const override {
    FrameSet<G> frame;
    frame.elements = map_parts(group_.identity(), [&](const Tensor& part) {
      auto shape = part.sizes().vec();
      shape.insert(shape.begin(), {x.size(), 1});
      return part.expand(shape);
    });
    frame.weights = uniform_weights(x.size(), 1);
    return frame;
  }

  G group_;
};

/// F(X) = G: group averaging (Eq. 1). A finite group is enumerated when `samples` is 0; otherwise
/// each item gets `samples` draws of its own from `G::sample`.
template <Group G>
class WholeFrame final : public Frame<G> {
 public:
  WholeFrame(G group, int64_t samples) : group_(std::move(group)), samples_(samples) {
    TORCH_CHECK(samples > 0 || FiniteGroup<G>, "WholeFrame: an infinite group needs samples > 0");
  }
  Guarantee guarantee() const override {
    return samples_ == 0 ? Guarantee::kExact : Guarantee::kInDistribution;
  }

 private:
  FrameSet<G> compute(const Batch& x, const Rng& rng) const override {
    if constexpr (FiniteGroup<G>) {
      if (samples_ == 0) return enumerate(x.size());
    }
    return draw(x, rng);
  }

  FrameSet<G> enumerate(int64_t batch) const requires FiniteGroup<G> {
    FrameSet<G> frame;
    int64_t order = 0;
    frame.elements = map_parts(group_.elements(), [&](const Tensor& part) {
      order = part.size(0);
      auto shape = part.sizes().vec();
      shape.insert(shape.begin(), batch);
      return part.unsqueeze(0).expand(shape);
    });
    frame.weights = uniform_weights(batch, order);
    return frame;
  }

  FrameSet<G> draw(const Batch& x, const Rng& rng) const {
    const Tensor keys = item_keys(x.x, x.id);
    std::vector<typename G::Element> draws;
    for (int64_t b = 0; b < x.size(); ++b) {
      auto generator = make_generator(rng.bits(static_cast<uint64_t>(keys[b].item<int64_t>()), 0));
      draws.push_back(map_parts(group_.sample(samples_, generator),
                                [](const Tensor& part) { return part.unsqueeze(0); }));
    }
    FrameSet<G> frame;
    frame.elements = std::move(draws.front());
    for (size_t b = 1; b < draws.size(); ++b) {
      frame.elements = zip_parts(frame.elements, draws[b], [](const Tensor& a, const Tensor& part) {
        return at::cat({a, part});
      });
    }
    frame.weights = uniform_weights(x.size(), samples_);
    frame.exact = at::zeros({x.size()}, at::kBool);
    return frame;
  }

  G group_;
  int64_t samples_;
};

/// k draws from another frame (Eq. 7), each item with randomness of its own. Without replacement
/// when the base frame is enumerated, so that k >= |F(X)| is the exact average.
template <Group G>
class SampledFrame final : public Frame<G> {
 public:
  SampledFrame(std::shared_ptr<const Frame<G>> base, int64_t k)
      : Frame<G>(base->gradient()), base_(std::move(base)), k_(k) {
    TORCH_CHECK(k > 0, "SampledFrame: k must be positive, got ", k);
  }
  Guarantee guarantee() const override {
    return base_->guarantee() == Guarantee::kNone ? Guarantee::kNone : Guarantee::kInDistribution;
  }

 private:
  FrameSet<G> compute(const Batch& x, const Rng& rng) const override;

  std::shared_ptr<const Frame<G>> base_;
  int64_t k_;
};

/// [B, k] positions in [0, K) for the rows of `weights` [B, K]: k distinct positions of non-zero
/// weight (all of them where a row has fewer, filled with -1), drawn by weighted sampling without
/// replacement from the counter-based stream of each key.
EQUIFRAME_API Tensor draw_positions(const Tensor& weights, int64_t k, const Tensor& keys,
                                    const Rng& rng);

template <Group G>
FrameSet<G> SampledFrame<G>::compute(const Batch& x, const Rng& rng) const {
  FrameSet<G> frame = (*base_)(x, rng);
  if (frame.size() <= k_ && frame.is_exact()) return frame;
  const Tensor positions =
      draw_positions(frame.weights.detach(), k_, item_keys(x.x, x.id), rng);  // [B, k]
  const Tensor present = positions >= 0;
  const Tensor source = positions.clamp_min(0);
  frame.elements = map_parts(frame.elements, [&](const Tensor& part) {
    auto shape = part.sizes().vec();
    shape[1] = k_;
    std::vector<int64_t> view(shape.size(), 1);
    view[0] = shape[0];
    view[1] = k_;
    return part.gather(1, source.view(view).expand(shape));
  });
  const Tensor all_taken = (frame.weights > 0).sum(1) <= k_;  // [B]
  const Tensor kept = frame.weights.gather(1, source) * present.to(at::kDouble);
  const Tensor equal = present.to(at::kDouble) / present.sum(1, /*keepdim=*/true);
  const Tensor log_size = frame.log_sizes();
  frame.weights = at::where(all_taken.unsqueeze(1), kept, equal);
  frame.flips = Tensor();
  frame.log_size = log_size;
  frame.exact = frame.exact.defined() ? frame.exact.logical_and(all_taken) : all_taken;
  return frame;
}

}  // namespace equiframe::inline frames
