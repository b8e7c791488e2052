#include "nn/clouds/edge_convolution.h"

#include <torch/types.h>

#include "nn/layers/without_bias.h"

namespace equiframe::inline nn {
EdgeConvolution::EdgeConvolution(const std::vector<int64_t>& widths, Pool pool) : pool_(pool) {
  constexpr int64_t kLanes = 16;
  TORCH_CHECK(widths.size() == 2 || widths.size() == 3, "an edge convolution has 1 or 2 layers");
  for (size_t k = 1; k < widths.size(); ++k)
    TORCH_CHECK(widths[k] % kLanes == 0, "widths of edge convolutions are multiples of ", kLanes);
  first_ = register_module("first", without_bias(2 * widths[0], widths[1]));
  first_norm_ = register_module("first_norm", std::make_shared<RowNorm>(widths[1]));
  if (widths.size() == 2) return;
  second_ = register_module("second", without_bias(widths[1], widths[2]));
  second_norm_ = register_module("second_norm", std::make_shared<RowNorm>(widths[2]));
}

Tensor EdgeConvolution::forward(const PackedPoints& rows, const Tensor& x,
                                const Tensor& neighbors) {
  const int64_t in = x.size(1);
  const Tensor difference = first_->weight.narrow(1, 0, in);
  const Tensor own = first_->weight.narrow(1, in, in) - difference;
  const Edges edges{x.mm(difference.t()), x.mm(own.t()), neighbors, {}};
  if (!second_) return edge_pool(rows, edges, *first_norm_, pool_);
  return edge_pool(rows, normalized_edges(rows, edges), *second_norm_, pool_);
}

Edges EdgeConvolution::normalized_edges(const PackedPoints& rows, const Edges& edges) {
  const int64_t count = edges.neighbors.numel();
  RowNorm::Statistics s = first_norm_->known(count);
  if (!s.mean.defined()) {
    s = edge_statistics(rows, edges);
    first_norm_->observe(s.mean.detach(), s.variance.detach(), count);
  }
  const auto wide = [](const Tensor& t) { return t.to(torch::kFloat64); };
  const Tensor scale = wide(first_norm_->weight) * (wide(s.variance) + RowNorm::kEps).rsqrt();
  const Tensor shift = wide(first_norm_->bias) - wide(s.mean) * scale;
  const auto type = edges.sender.scalar_type();
  const Tensor by = scale.to(type);
  return {edges.sender * by, torch::addcmul(shift.to(type), edges.receiver, by), edges.neighbors,
          second_->weight};
}

}  // namespace equiframe::inline nn
