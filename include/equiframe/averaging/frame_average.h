#pragma once

#include <memory>
#include <utility>

#include "equiframe/averaging/average.h"
#include "equiframe/core/backbone.h"
#include "equiframe/frames/frame.h"

namespace equiframe {

/// A backbone made G-equivariant (Theorem 1). It is a Backbone itself: trainers need not know of
/// frames, blocks chain and nest. Exactness is a property of `eval()`: dropout and batch norm of a
/// training backbone differ between framed copies.
template <Group G>
class FrameAverage final : public Backbone {
 public:
  FrameAverage(Symmetry<G> symmetry, std::shared_ptr<const Frame<G>> frame,
               std::shared_ptr<Backbone> backbone, AverageOptions options = {})
      : symmetry_(std::move(symmetry)),
        frame_(std::move(frame)),
        backbone_(register_module("backbone", std::move(backbone))),
        options_(options) {}

  /// Frames that draw use a new stream at each training step and always the same one in `eval()`.
  Tensor forward(const Batch& batch) override {
    const Rng rng{seed_, is_training() ? ++step_ : 0};
    const auto phi = [this](const Batch& framed) { return backbone_->forward(framed); };
    return equivariant_average(symmetry_, (*frame_)(batch, rng), phi, batch, options_);
  }

  void set_seed(uint64_t seed) { seed_ = seed; }
  const Symmetry<G>& symmetry() const { return symmetry_; }
  const Frame<G>& frame() const { return *frame_; }

 private:
  Symmetry<G> symmetry_;
  std::shared_ptr<const Frame<G>> frame_;
  std::shared_ptr<Backbone> backbone_;
  AverageOptions options_;
  uint64_t seed_ = 0;
  uint64_t step_ = 0;
};

}  // namespace equiframe
