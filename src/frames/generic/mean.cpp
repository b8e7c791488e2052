#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "frames/euclidean/cloud.h"

namespace equiframe::inline frames {
namespace {

/// F(X) = {centroid of X} for translations: the toy example of Sec. 2.1, in any dimension.
class MeanFrame final : public Frame<EuclideanGroup> {
 public:
  MeanFrame(const EuclideanGroup& group, FieldType in, FrameGradient gradient)
      : Frame(gradient), group_(group), in_(std::move(in)) {}

 private:
  FrameSet<EuclideanGroup> compute(const Batch& x, const Rng&) const override {
    const Tensor centre = centroid(cloud_of(group_, in_, x, "mean"));  // [B, d]
    refuse_non_finite(centre.detach(), "mean");
    FrameSet<EuclideanGroup> frame;
    frame.elements.linear =
        torch::eye(group_.dim(), x.x.options()).expand({x.size(), 1, group_.dim(), group_.dim()});
    frame.elements.shift = centre.unsqueeze(1);
    frame.weights = uniform_weights(x.size(), 1);
    return frame;
  }

  EuclideanGroup group_;
  FieldType in_;
};

const bool kMeanRegistered = Frames<EuclideanGroup>::instance().add(
    "mean", "the centroid: one element, for translations T(d)",
    [](const EuclideanGroup& group, const FieldType& in, const Options& options) {
      if (group.linear() != EuclideanGroup::Linear::kIdentity)
        throw UserError("frame 'mean' serves translations only, not " + group.name() +
                        "; use 'pca' or 'minimal', or the group T(" + std::to_string(group.dim()) +
                        ")");
      return std::make_unique<MeanFrame>(group, in, gradient_option(options));
    });

}  // namespace
}  // namespace equiframe::inline frames
