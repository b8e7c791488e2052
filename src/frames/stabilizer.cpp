#include "frames/stabilizer.h"

#include <torch/types.h>

#include "equiframe/frames/frame.h"

namespace equiframe::inline frames {

EuclideanGroup::Element stabilizer(const EuclideanGroup& group, const FieldType& in, const Batch& x,
                                   int64_t item, PointOrder order) {
  const Batch one = x.map([&](const Tensor& part) { return part.narrow(0, item, 1); });
  const auto frame = (*make_frame("minimal", group, in))(one);
  const auto coset = map_parts(frame.elements, [](const Tensor& part) { return part[0]; });
  const auto first = map_parts(coset, [](const Tensor& part) { return part.narrow(0, 0, 1); });
  const auto all = group.compose(coset, group.inverse(first));  // Sym(X) = F(X) Q_0^-1
  if (order == PointOrder::kFree) return all;
  const Tensor moved = group.act(in, all, one.x.expand({frame.size(), -1, -1}));
  const double scale = std::max(1.0, one.x.abs().max().item<double>());
  const double tolerance = one.x.scalar_type() == torch::kFloat32 ? 1e-4 : 1e-9;
  const Tensor apart = std::get<0>((moved - one.x).abs().flatten(1).max(1));
  const Tensor kept = (apart <= tolerance * scale).nonzero().squeeze(1);
  return map_parts(all, [&](const Tensor& part) { return part.index_select(0, kept); });
}

}  // namespace equiframe::inline frames
