// Group elements as the two tensors that operators pass around.
#pragma once

#include "equiframe/groups/euclidean.h"
#include "equiframe/groups/symmetric.h"

namespace equiframe::operators {

inline Tensor linear_of(const EuclideanGroup::Element& g) {
  return g.linear;
}
inline Tensor shift_of(const EuclideanGroup::Element& g) {
  return g.shift;
}
inline EuclideanGroup::Element element_of(const EuclideanGroup& group, const Tensor& linear,
                                          const Tensor& shift) {
  const int64_t d = group.dim();
  TORCH_CHECK(linear.dim() >= 2 && linear.size(-1) == d && linear.size(-2) == d &&
                  shift.dim() == linear.dim() - 1 && shift.size(-1) == d,
              "elements of ", group.name(), " are linear [..., ", d, ", ", d, "] and shift [..., ",
              d, "], got ", linear.sizes(), " and ", shift.sizes());
  return {linear, shift};
}
inline int64_t batch_axes(const EuclideanGroup::Element& g) {
  return g.linear.dim() - 2;
}

inline Tensor linear_of(const SymmetricGroup::Element& sigma) {
  return sigma;
}
inline Tensor shift_of(const SymmetricGroup::Element& sigma) {
  auto shape = sigma.sizes().vec();
  shape.back() = 0;
  return at::empty(shape, sigma.options().dtype(at::kDouble));
}
inline SymmetricGroup::Element element_of(const SymmetricGroup& group, const Tensor& linear,
                                          const Tensor& /*shift*/) {
  TORCH_CHECK(
      linear.scalar_type() == at::kLong && linear.dim() >= 1 && linear.size(-1) == group.size(),
      "elements of ", group.name(), " are int64 [..., ", group.size(), "], got ",
      linear.scalar_type(), " ", linear.sizes());
  return linear;
}
inline int64_t batch_axes(const SymmetricGroup::Element& sigma) {
  return sigma.dim() - 1;
}

}  // namespace equiframe::operators
