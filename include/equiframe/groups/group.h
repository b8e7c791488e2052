#pragma once

#include <concepts>
#include <string>

#include <ATen/core/Generator.h>

#include "equiframe/core/batch.h"

namespace equiframe::inline groups {

/// A group whose elements come in batches: every `Element` carries leading axes [*batch], and every
/// operation broadcasts over them. The laws are checked by `equiframe/laws/laws.h`, not by the
/// compiler. Write these eleven members and every frame, operator and law works with the group.
template <class G>
concept Group = requires(const G& group, const typename G::Element& g,
                         const typename G::Representation& rho, const Tensor& x, const Batch& batch,
                         int64_t count, at::Generator& generator) {
  { group.name() } -> std::same_as<std::string>;                            // "SE(3)"
  { group.identity() } -> std::same_as<typename G::Element>;                // batch shape []
  { group.compose(g, g) } -> std::same_as<typename G::Element>;             // g h
  { group.inverse(g) } -> std::same_as<typename G::Element>;                // g^-1
  { group.sample(count, generator) } -> std::same_as<typename G::Element>;  // [count], see G
  { group.distance(g, g) } -> std::same_as<Tensor>;          // [*batch], zero iff equal
  { group.act(rho, g, x) } -> std::same_as<Tensor>;          // rho(g) x
  { group.act_inverse(rho, g, x) } -> std::same_as<Tensor>;  // rho(g)^-1 x, in one step
  { group.act(rho, g, batch) } -> std::same_as<Batch>;       // on all parts of a batch
  { group.act_inverse(rho, g, batch) } -> std::same_as<Batch>;
  { group.type(std::string()) } -> std::same_as<typename G::Representation>;  // parse and check
};

/// A group that can be listed.
template <class G>
concept FiniteGroup = Group<G> && requires(const G& group) {
  { group.order() } -> std::same_as<double>;  // as double: n! overflows integers early
  { group.elements() } -> std::same_as<typename G::Element>;  // batch shape [order]
};

/// `f` applied to each tensor that makes up an element; f may only touch the leading batch axes.
/// A group whose Element is not a Tensor adds an overload beside its Element.
template <class F>
Tensor map_parts(const Tensor& element, F&& f) {
  return f(element);
}

/// `f(a, b)` applied to matching tensors of two elements (stacking, selecting).
template <class F>
Tensor zip_parts(const Tensor& a, const Tensor& b, F&& f) {
  return f(a, b);
}

}  // namespace equiframe::inline groups
