#pragma once

#include <memory>
#include <utility>

#include "equiframe/averaging/average.h"
#include "equiframe/core/backbone.h"
#include "equiframe/export.h"
#include "equiframe/frames/frame.h"

namespace equiframe::inline averaging {

/// A backbone that knows a faster way to average itself over reflections of the axes than to be
/// evaluated on each reflected copy. Frames whose elements differ by such flips (`pca`) use it:
///   sum_k w rho_out(V S_k) Phi(rho_in(V S_k)^-1 X) = rho_out(V) mean_k rho_out(S_k)
///   Phi(rho_in(S_k) rho_in(V)^-1 X).
class EQUIFRAME_API FlipBackbone : public Backbone {
 public:
  /// mean_k rho_out(S_k) Phi(rho_in(S_k) x), S_k = diag(flips[k]); flips: [K, d] of +-1 in x's
  /// type.
  virtual Tensor flip_average(const Batch& batch, const Tensor& flips) = 0;
};

/// A backbone made G-equivariant (Theorem 1). It is a Backbone itself: trainers need not know of
/// frames, blocks chain and nest. Exactness is a property of `eval()`: dropout and batch norm of a
/// training backbone differ between framed copies.
template <Group G>
class EQUIFRAME_API FrameAverage final : public Backbone {
 public:
  FrameAverage(Symmetry<G> symmetry, std::shared_ptr<const Frame<G>> frame,
               std::shared_ptr<Backbone> backbone, AverageOptions options = {})
      : symmetry_(std::move(symmetry)),
        frame_(std::move(frame)),
        backbone_(register_module("backbone", std::move(backbone))),
        options_(options) {}

  /// Frames that draw use a new stream at each training step and always the same one in `eval()`.
  Tensor forward(const Batch& batch) override {
    const Rng rng{rng_.seed, is_training() ? rng_.stream++ : 0};
    const Frame<G>& chosen = is_training() && training_frame_ ? *training_frame_ : *frame_;
    const FrameSet<G> frame = chosen(batch, rng);
    auto* flipping = dynamic_cast<FlipBackbone*>(backbone_.get());
    if (flipping != nullptr && frame.flips.defined() && options_.max_bytes == 0)
      return flip_average(*flipping, frame, batch);
    const auto phi = [this](const Batch& framed) { return backbone_->forward(framed); };
    return equivariant_average(symmetry_, frame, phi, batch, options_);
  }

  /// Another frame while `is_training()`, such as one random element of the same frame: cheaper by
  /// the frame's size, and the evaluated model is exact all the same.
  void train_with(std::shared_ptr<const Frame<G>> frame) { training_frame_ = std::move(frame); }

  /// Where the draws of the next training step come from; the stream advances by one a step.
  void set_rng(const Rng& rng) { rng_ = rng; }
  const Symmetry<G>& symmetry() const { return symmetry_; }
  const Frame<G>& frame() const { return *frame_; }

 private:
  Tensor flip_average(FlipBackbone& backbone, const FrameSet<G>& frame, const Batch& batch) const {
    const auto first =
        map_parts(frame.elements, [](const Tensor& part) { return part.select(1, 0); });
    const Batch framed = symmetry_.group.act_inverse(symmetry_.in, first, batch);
    const Tensor y = backbone.flip_average(framed, frame.flips.to(framed.x.dtype()));
    return symmetry_.group.act(symmetry_.out, first, y);
  }

  Symmetry<G> symmetry_;
  std::shared_ptr<const Frame<G>> frame_;
  std::shared_ptr<Backbone> backbone_;
  std::shared_ptr<const Frame<G>> training_frame_;
  AverageOptions options_;
  Rng rng_{0, 1};
};

}  // namespace equiframe::inline averaging
