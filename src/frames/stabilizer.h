#pragma once

#include <ATen/ATen.h>

#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/group.h"

/// The stabiliser G_X = {g : rho(g) X = X} of one item (Sec. 2.1). For S_n see automorphisms.h.
namespace equiframe::inline frames {

/// Whether g must fix each point, or only the set of points with their attributes.
enum class PointOrder { kFixed, kFree };

/// Isometries that fix item `item` of `x`, by tolerance matching through the `minimal` frame, batch
/// shape [S]. Throws UserError where the stabiliser is infinite.
EuclideanGroup::Element stabilizer(const EuclideanGroup& group, const FieldType& in, const Batch& x,
                                   int64_t item, PointOrder order);

/// The elements of a finite group that fix item `item` of `x` up to `tolerance`, by trying all.
template <FiniteGroup G>
typename G::Element stabilizer(const G& group, const typename G::Representation& in, const Batch& x,
                               int64_t item, double tolerance = 1e-9) {
  const auto all = group.elements();
  const auto count = static_cast<int64_t>(group.order());
  const Batch copies = x.map([&](const Tensor& part) {
    auto shape = part.sizes().vec();
    shape[0] = count;
    return part.narrow(0, item, 1).expand(shape);
  });
  const Batch moved = group.act(in, all, copies);
  Tensor apart = std::get<0>((moved.x - copies.x).abs().flatten(1).max(1));
  if (x.pair.defined())
    apart = at::maximum(apart, std::get<0>((moved.pair - copies.pair).abs().flatten(1).max(1)));
  const Tensor kept = (apart <= tolerance).nonzero().squeeze(1);
  return map_parts(all, [&](const Tensor& part) { return part.index_select(0, kept); });
}

}  // namespace equiframe::inline frames
