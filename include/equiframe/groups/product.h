#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "equiframe/export.h"
#include "equiframe/groups/group.h"

namespace equiframe::inline groups {

/// The parts of "first & second". Throws UserError that names the group `owner` for any other text.
EQUIFRAME_API std::pair<std::string, std::string> parse_product_type(const std::string& text,
                                                                     const std::string& owner);

template <class A, class B>
struct ProductElement {
  A first;
  B second;
};

/// A pair of representations on the same tensor, written "vector & node".
template <class A, class B>
struct ProductType {
  A first;
  B second;

  std::string str() const { return first.str() + " & " + second.str(); }
  bool operator==(const ProductType&) const = default;
};

/// The direct product A x B, acting on one space by rho(a, b) = rho_A(a) rho_B(b). It is a
/// representation iff the two actions commute (Theorem 2's condition), which the homomorphism law
/// measures.
template <Group A, Group B>
class ProductGroup {
 public:
  using Element = ProductElement<typename A::Element, typename B::Element>;
  using Representation = ProductType<typename A::Representation, typename B::Representation>;

  ProductGroup(A first, B second) : first_(std::move(first)), second_(std::move(second)) {}
  const A& first() const { return first_; }
  const B& second() const { return second_; }

  std::string name() const { return first_.name() + " x " + second_.name(); }
  Element identity() const { return {first_.identity(), second_.identity()}; }
  Element compose(const Element& g, const Element& h) const {
    return {first_.compose(g.first, h.first), second_.compose(g.second, h.second)};
  }
  Element inverse(const Element& g) const {
    return {first_.inverse(g.first), second_.inverse(g.second)};
  }
  Element sample(int64_t count, at::Generator& generator) const {
    auto first = first_.sample(count, generator);
    return {std::move(first), second_.sample(count, generator)};
  }
  Tensor distance(const Element& g, const Element& h) const {
    return first_.distance(g.first, h.first) + second_.distance(g.second, h.second);
  }
  template <class X>
  X act(const Representation& rho, const Element& g, const X& x) const {
    return first_.act(rho.first, g.first, second_.act(rho.second, g.second, x));
  }
  template <class X>
  X act_inverse(const Representation& rho, const Element& g, const X& x) const {
    return second_.act_inverse(rho.second, g.second, first_.act_inverse(rho.first, g.first, x));
  }
  Representation type(const std::string& text) const {
    const auto [first, second] = parse_product_type(text, name());
    return {first_.type(first), second_.type(second)};
  }

  double order() const requires FiniteGroup<A> && FiniteGroup<B> {
    return first_.order() * second_.order();
  }
  /// Every pair, the second factor fastest.
  Element elements() const requires FiniteGroup<A> && FiniteGroup<B> {
    const auto a = static_cast<int64_t>(first_.order());
    const auto b = static_cast<int64_t>(second_.order());
    return {map_parts(first_.elements(),
                      [&](const Tensor& part) { return part.repeat_interleave(b, 0); }),
            map_parts(second_.elements(), [&](const Tensor& part) {
              std::vector<int64_t> times(static_cast<size_t>(part.dim()), 1);
              times[0] = a;
              return part.repeat(times);
            })};
  }

 private:
  A first_;
  B second_;
};

template <class A, class B, class F>
ProductElement<A, B> map_parts(const ProductElement<A, B>& g, F&& f) {
  return {map_parts(g.first, f), map_parts(g.second, f)};
}

template <class A, class B, class F>
ProductElement<A, B> zip_parts(const ProductElement<A, B>& a, const ProductElement<A, B>& b,
                               F&& f) {
  return {zip_parts(a.first, b.first, f), zip_parts(a.second, b.second, f)};
}

}  // namespace equiframe::inline groups
