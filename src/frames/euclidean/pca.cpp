#include <cmath>

#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/frames/frame.h"
#include "frames/euclidean/cloud.h"
#include "frames/euclidean/principal_axes.h"
#include "frames/euclidean/tolerances.h"

namespace equiframe::inline frames {
namespace {

using Element = EuclideanGroup::Element;

/// Sec. 3.1: the principal axes of the centred cloud, one element for each choice of signs: 2^d for
/// O(d) and E(d), the 2^(d-1) of determinant +1 for SO(d) and SE(d).
class PcaFrame final : public Frame<EuclideanGroup> {
 public:
  PcaFrame(const EuclideanGroup& group, FieldType in, const Options& options)
      : Frame(gradient_option(options)),
        group_(group),
        in_(std::move(in)),
        on_degenerate_(degenerate_option(options)),
        tolerance_(options.get_double("tolerance", 0)),
        flips_(sign_patterns(group.dim(), hands_of(group))) {
    if (on_degenerate_ == OnDegenerate::kMinimal) minimal_ = make_frame("minimal", group_, in_);
  }
  Guarantee guarantee() const override {
    return on_degenerate_ == OnDegenerate::kSample ? Guarantee::kInDistribution : Guarantee::kExact;
  }

 private:
  FrameSet<EuclideanGroup> compute(const Batch& x, const Rng& rng) const override {
    const Cloud cloud = cloud_of(group_, in_, x, "pca");
    const bool differentiable = gradient() == FrameGradient::kExact && cloud.points.requires_grad();
    const PrincipalAxes spectrum = principal_axes(
        group_, cloud, differentiable ? AxesDetail::kAxesToo : AxesDetail::kBasesOnly);
    const CloudTolerance usual = cloud_tolerance(x.x.scalar_type());
    const double tolerance = tolerance_ > 0 ? tolerance_ : usual.gap;
    const SpectrumReport report = analyse_spectrum(spectrum, {tolerance, usual.rank});
    if (report.any_non_finite) refuse_non_finite(spectrum.values, "pca");

    FrameSet<EuclideanGroup> frame;
    const Tensor centre = cloud.points.requires_grad() && group_.has_shifts()
                              ? track_centre(spectrum.centre, cloud)
                              : spectrum.centre;
    frame.elements.linear =
        differentiable
            ? signed_bases(differentiable_axes(cloud, centre, spectrum, tolerance), spectrum.hands)
                  .to(x.x.dtype())
            : spectrum.bases;
    const int64_t k = frame.elements.linear.size(1);
    frame.elements.shift = centre.unsqueeze(1).expand({-1, k, -1});
    frame.weights = uniform_weights(x.size(), k);
    frame.margin = report.margin;
    frame.stratum = report.stratum;
    if (!report.any_degenerate) {
      frame.flips = flips_;
      return frame;
    }
    return settle_degenerate(std::move(frame), x, report, rng);
  }

  int64_t element_count() const {
    return int64_t{1} << (group_.has_reflections() ? group_.dim() : group_.dim() - 1);
  }

  FrameSet<EuclideanGroup> settle_degenerate(FrameSet<EuclideanGroup> frame, const Batch& x,
                                             const SpectrumReport& report, const Rng& rng) const {
    if (on_degenerate_ == OnDegenerate::kRefuse) refuse(report);
    const Tensor items = report.degenerate.nonzero().squeeze(1);
    const Batch part = x.map([&](const Tensor& t) { return t.index_select(0, items); });
    if (on_degenerate_ == OnDegenerate::kMinimal) {
      auto settled = (*minimal_)(part, rng);
      settled.stratum = report.stratum.index_select(0, items);
      return replace_items(std::move(frame), items, std::move(settled));
    }
    const auto pick = [&](const Tensor& t) { return t.index_select(0, items); };
    FrameSet<EuclideanGroup> drawn;
    drawn.elements.linear = random_bases(part, rng);
    drawn.elements.shift = pick(frame.elements.shift);
    drawn.weights = uniform_weights(items.size(0), frame.size());
    drawn.exact = torch::zeros({items.size(0)}, torch::kBool);
    drawn.margin = pick(report.margin);
    drawn.stratum = pick(report.stratum);
    drawn.log_size = torch::full({items.size(0)}, INFINITY, torch::kFloat64);
    return replace_items(std::move(frame), items, std::move(drawn));
  }

  [[noreturn]] void refuse(const SpectrumReport& report) const {
    const Tensor item = report.degenerate.nonzero()[0][0];
    const auto stratum = static_cast<Stratum>(report.stratum[item].item<int64_t>());
    throw UserError(c10::str("frame 'pca' is not defined for ", name_items(report.degenerate),
                             " of ", report.degenerate.size(0), ": the principal axes tie (",
                             to_string(stratum), ", relative gap ",
                             report.margin[item].item<double>(),
                             "); use pca(degenerate=minimal) for an exact answer, or "
                             "degenerate=sample for a random one"));
  }

  /// Independent Haar rotations inside every eigenspace, K of them for each item: equivariant in
  /// distribution wherever no finite frame exists, [M, K, d, d].
  Tensor random_bases(const Batch& part, const Rng& rng) const {
    const auto [centre, values, axes, bases, hands] =
        principal_axes(group_, cloud_of(group_, in_, part, "pca"), AxesDetail::kAxesToo);
    const Tensor keys = item_keys(part.x, part.id);
    const double tolerance = tolerance_ > 0 ? tolerance_ : 1e-3;
    std::vector<Tensor> result;
    for (int64_t m = 0; m < keys.size(0); ++m) {
      auto generator = make_generator(rng.bits(static_cast<uint64_t>(keys[m].item<int64_t>()), 1));
      result.push_back(random_basis(values[m], axes[m], tolerance, generator));
    }
    return torch::stack(result).to(part.x.dtype());
  }

  Tensor random_basis(const Tensor& values, const Tensor& axes, double tolerance,
                      at::Generator& generator) const {
    const int64_t d = group_.dim(), k = element_count();
    const double scale = std::max(values[d - 1].item<double>(), 1e-300);
    Tensor mix = torch::zeros({k, d, d}, torch::kFloat64);
    for (int64_t start = 0, end = 0; start < d; start = end) {
      end = start + 1;
      while (end < d && (values[end] - values[end - 1]).item<double>() <= tolerance * scale) ++end;
      mix.narrow(1, start, end - start)
          .narrow(2, start, end - start)
          .copy_(haar_orthogonal(end - start, EuclideanGroup::Linear::kOrthogonal, k, generator));
    }
    Tensor bases = axes.matmul(mix);  // [K, d, d]
    if (group_.has_reflections()) return bases;
    const Tensor det = torch::linalg_det(bases).sign().view({-1, 1, 1});
    return torch::cat({bases.narrow(2, 0, d - 1), bases.narrow(2, d - 1, 1) * det}, 2);
  }

  EuclideanGroup group_;
  FieldType in_;
  OnDegenerate on_degenerate_;
  double tolerance_;  // 0: by the input's type
  Tensor flips_;      // [K, d]: the signs that take element 0 to element k, the same for all items
  std::shared_ptr<const Frame<EuclideanGroup>> minimal_;
};

constexpr int64_t kLargestDimension = 16;  // 65,536 sign choices

const bool kPcaRegistered = Frames<EuclideanGroup>::instance().add(
    "pca", "principal axes with every choice of signs: 2^d elements for O/E, 2^(d-1) for SO/SE",
    [](const EuclideanGroup& group, const FieldType& in, const Options& options) {
      if (group.linear() == EuclideanGroup::Linear::kIdentity)
        throw UserError("frame 'pca' finds axes, but " + group.name() +
                        " has only translations; use 'mean'");
      if (group.dim() > kLargestDimension)
        throw UserError(c10::str("frame 'pca' in ", group.dim(), " dimensions has 2^", group.dim(),
                                 " elements; use 'minimal'"));
      return std::make_unique<PcaFrame>(group, in, options);
    });

}  // namespace
}  // namespace equiframe::inline frames
