#include "frames/euclidean/cloud.h"

#include <torch/types.h>

#include "equiframe/core/error.h"

namespace equiframe::inline frames {
namespace {

/// All fields of one kind as places, [B, N * P, d]; the input itself where it is nothing else.
Tensor places_of(const FieldType& in, FieldType::Kind kind, int64_t dim, const Tensor& x) {
  if (in.fields().size() == 1 && in.fields()[0].count == 1) return x;
  return in.select(kind, dim, x).flatten(1, 2);
}

}  // namespace

Cloud cloud_of(const EuclideanGroup& group, const FieldType& in, const Batch& batch,
               const std::string& frame) {
  using Kind = FieldType::Kind;
  TORCH_CHECK(batch.x.dim() == 3, "frame '", frame, "': x must be [B, N, C], got ",
              batch.x.sizes());
  in.require_channels(group.dim(), batch.x.size(-1));
  const bool by_points = in.has(Kind::kPoint);
  if (!by_points && (group.has_shifts() || !in.has(Kind::kVector)))
    throw UserError("frame '" + frame + "' of " + group.name() +
                    " needs places to look at, but the input type is '" + in.str() +
                    "'; name the "
                    "position channels 'point'" +
                    (group.has_shifts() ? std::string() : " or 'vector'"));
  if (batch.nodes() == 0)
    throw UserError("frame '" + frame + "': the clouds are empty; give at least one point each");
  Cloud cloud{places_of(in, by_points ? Kind::kPoint : Kind::kVector, group.dim(), batch.x),
              point_weights(batch)};
  if (cloud.weights.defined()) {
    TORCH_CHECK(cloud.weights.dim() == 2 && cloud.weights.size(1) == batch.nodes(),
                "mask and weights must be [B, N], got ", cloud.weights.sizes());
    const Tensor empty = (cloud.weights.sum(1) <= 0);
    if (empty.any().item<bool>())
      throw UserError("frame '" + frame + "': " + name_items(empty) +
                      " have no point left after the mask; drop them or unmask a point");
    cloud.weights = cloud.weights.repeat_interleave(cloud.points.size(1) / batch.nodes(), 1);
    const Tensor seen = (cloud.weights > 0).unsqueeze(-1);
    cloud.points = torch::where(seen, cloud.points, torch::zeros({}, cloud.points.options()));
  }
  return cloud;
}

Tensor centroid(const Cloud& cloud) {
  const Tensor points = cloud.points.to(torch::kFloat64);
  if (!cloud.weights.defined()) {
    const Tensor rough = points.mean(1, /*keepdim=*/true).detach();
    return (rough + (points - rough).mean(1, /*keepdim=*/true)).squeeze(1);
  }
  const Tensor w = (cloud.weights / cloud.weights.sum(1, /*keepdim=*/true)).unsqueeze(-1);
  const Tensor rough = (points * w).sum(1, /*keepdim=*/true).detach();
  return (rough + ((points - rough) * w).sum(1, /*keepdim=*/true)).squeeze(1);
}

Tensor track_centre(const Tensor& centre, const Cloud& cloud) {
  const Tensor mean = cloud.weights.defined()
                          ? (cloud.points * (cloud.weights / cloud.weights.sum(1, /*keepdim=*/true))
                                                .unsqueeze(-1)
                                                .to(cloud.points.dtype()))
                                .sum(1)
                          : cloud.points.mean(1);
  return centre + (mean - mean.detach()).to(centre.dtype());
}

void refuse_non_finite(const Tensor& values, const std::string& frame) {
  const Tensor bad = values.isfinite().logical_not().flatten(1).any(1);
  if (!bad.any().item<bool>()) return;
  throw UserError("frame '" + frame + "': " + name_items(bad) +
                  " have a NaN or infinite coordinate; remove or mask those points");
}

std::string name_items(const Tensor& flags) {
  constexpr int64_t kShown = 5;
  const Tensor items = flags.nonzero().flatten();
  std::string text = items.numel() == 1 ? "item " : "items ";
  for (int64_t i = 0; i < std::min(items.numel(), kShown); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(items[i].item<int64_t>());
  if (items.numel() > kShown) text += " and " + std::to_string(items.numel() - kShown) + " more";
  return text;
}

}  // namespace equiframe::inline frames
