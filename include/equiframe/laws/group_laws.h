#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ATen.h>

#include "equiframe/groups/group.h"

/// The laws of groups and representations, as errors to compare with a tolerance.
namespace equiframe::inline laws {

/// An error that is not a number is as large as can be: std::max would pass over it.
inline double worst_if_nan(double error) {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// max |a - b| over max(1, |b|); infinite where either is not finite.
inline double relative_difference(const Tensor& a, const Tensor& b) {
  const double scale = std::max(1.0, b.abs().max().item<double>());
  return worst_if_nan((a - b).abs().max().item<double>() / scale);
}

/// max d((ab)c, a(bc))
template <Group G>
double associativity_error(const G& group, at::Generator& generator, int64_t samples = 32) {
  const auto a = group.sample(samples, generator), b = group.sample(samples, generator),
             c = group.sample(samples, generator);
  const auto left = group.compose(group.compose(a, b), c);
  const auto right = group.compose(a, group.compose(b, c));
  return group.distance(left, right).max().template item<double>();
}

/// max d(eg, g), d(ge, g)
template <Group G>
double identity_error(const G& group, at::Generator& generator, int64_t samples = 32) {
  const auto g = group.sample(samples, generator);
  const auto e = group.identity();
  const Tensor left = group.distance(group.compose(e, g), g);
  const Tensor right = group.distance(group.compose(g, e), g);
  return at::maximum(left, right).max().template item<double>();
}

/// max d(g g^-1, e), d(g^-1 g, e)
template <Group G>
double inverse_error(const G& group, at::Generator& generator, int64_t samples = 32) {
  const auto g = group.sample(samples, generator);
  const auto e = group.identity();
  const Tensor right = group.distance(group.compose(g, group.inverse(g)), e);
  const Tensor left = group.distance(group.compose(group.inverse(g), g), e);
  return at::maximum(left, right).max().template item<double>();
}

/// max |rho(g) rho(h) x - rho(gh) x|, one pair (g, h) for each item of x [B, ...]
template <Group G>
double homomorphism_error(const G& group, const typename G::Representation& rho, const Tensor& x,
                          at::Generator& generator) {
  const auto g = group.sample(x.size(0), generator), h = group.sample(x.size(0), generator);
  const Tensor stepwise = group.act(rho, g, group.act(rho, h, x));
  return relative_difference(stepwise, group.act(rho, group.compose(g, h), x));
}

/// max |rho(e) x - x|
template <Group G>
double unit_action_error(const G& group, const typename G::Representation& rho, const Tensor& x) {
  return relative_difference(group.act(rho, group.identity(), x), x);
}

/// max of |rho(g)^-1 rho(g) x - x| and |rho(g^-1) x - rho(g)^-1 x|
template <Group G>
double inverse_action_error(const G& group, const typename G::Representation& rho, const Tensor& x,
                            at::Generator& generator) {
  const auto g = group.sample(x.size(0), generator);
  const double back = relative_difference(group.act_inverse(rho, g, group.act(rho, g, x)), x);
  return std::max(
      back, relative_difference(group.act(rho, group.inverse(g), x), group.act_inverse(rho, g, x)));
}

}  // namespace equiframe::inline laws
