#pragma once

#include <memory>
#include <string>
#include <utility>

#include "equiframe/core/options.h"
#include "equiframe/core/registry.h"
#include "equiframe/core/rng.h"
#include "equiframe/export.h"
#include "equiframe/frames/frame_set.h"

namespace equiframe::inline frames {

/// What of F(X) carries gradient back to X: nothing; the smooth parts (centroid, weights) but not
/// eigenvectors or sort orders, as in the paper's code; or the true derivative, where a frame has
/// it. Gradients of a block's own parameters are exact in all three.
enum class FrameGradient { kSmooth, kNone, kExact };

/// What a frame promises of the average: f(gX) = g f(X) for each call; that for the items that
/// `FrameSet::exact` names and for the others in distribution over its draws; in distribution only;
/// or nothing (`identity`, the baseline).
enum class Guarantee { kExact, kWhereExact, kInDistribution, kNone };

/// What happens where a frame is not defined (ties, rank): an error that names the items, the
/// `minimal` frame for those items, or draws that are equivariant in distribution.
enum class OnDegenerate { kRefuse, kMinimal, kSample };

/// A frame, X -> F(X), with F(gX) = gF(X) (Definition 1; left frames throughout).
template <Group G>
class EQUIFRAME_API Frame {
 public:
  static constexpr const char* kKind = "frame";
  using GroupType = G;

  explicit Frame(FrameGradient gradient = FrameGradient::kSmooth) : gradient_(gradient) {}
  virtual ~Frame() = default;

  /// The autograd boundary: with kNone no plug-in can leak a gradient through the frame.
  /// `rng` matters only to frames that draw.
  FrameSet<G> operator()(const Batch& x, const Rng& rng = {}) const {
    const auto detach = [](const Tensor& part) { return part.detach(); };
    return compute(gradient_ == FrameGradient::kNone ? x.map(detach) : x, rng);
  }

  FrameGradient gradient() const { return gradient_; }
  virtual Guarantee guarantee() const { return Guarantee::kExact; }

 private:
  virtual FrameSet<G> compute(const Batch& x, const Rng& rng) const = 0;

  FrameGradient gradient_;
};

/// The named frames of a group type: factories take the group, the input's type, and options.
template <Group G>
using Frames = Registry<Frame<G>, G, typename G::Representation, Options>;

/// The frame written `call`, e.g. "pca", "pca(degenerate=minimal)", "sampled(k=2, base=pca)".
template <Group G>
std::unique_ptr<Frame<G>> make_frame(const std::string& call, const G& group,
                                     const typename G::Representation& in) {
  const auto [name, options] = Options::parse_call(call);
  auto frame = Frames<G>::instance().make(name, group, in, options);
  options.refuse_unread("frame '" + name + "'");
  return frame;
}

/// The option `gradient = smooth | none | exact` that every frame takes.
inline FrameGradient gradient_option(const Options& options) {
  return static_cast<FrameGradient>(options.get_choice("gradient", {"smooth", "none", "exact"}));
}

/// For frames that have no derivative to offer: kExact is refused.
EQUIFRAME_API FrameGradient inexact_gradient_option(const Options& options,
                                                    const std::string& frame);

/// The option `degenerate = refuse | minimal | sample`.
inline OnDegenerate degenerate_option(const Options& options) {
  return static_cast<OnDegenerate>(
      options.get_choice("degenerate", {"refuse", "minimal", "sample"}));
}

}  // namespace equiframe::inline frames
