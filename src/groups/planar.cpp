#include <cmath>

#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/point_groups.h"

namespace equiframe::inline groups {

PlanarGroup::PlanarGroup(int64_t n, Reflections reflections) : n_(n), reflections_(reflections) {
  if (n < 1) throw UserError(c10::str("C(n) and D(n) need n of 1 or more, got ", n));
}

std::string PlanarGroup::name() const {
  return text::plain(reflections_ == Reflections::kIncluded ? "D(" : "C(", n_, ")");
}

Tensor PlanarGroup::identity() const {
  return torch::zeros({}, torch::kInt64);
}

Tensor PlanarGroup::compose(const Tensor& g, const Tensor& h) const {
  // r^a s^e r^b s^f = r^(a + (-1)^e b) s^(e + f)
  const Tensor e = g.div(n_, "floor"), f = h.div(n_, "floor");
  const Tensor turn = (g.remainder(n_) + (1 - 2 * e) * h.remainder(n_)).remainder(n_);
  return turn + n_ * (e + f).remainder(2);
}

Tensor PlanarGroup::inverse(const Tensor& g) const {
  return torch::where(g < n_, (n_ - g).remainder(n_), g);  // a reflection is its own inverse
}

Tensor PlanarGroup::sample(int64_t count, at::Generator& generator) const {
  return torch::randint(static_cast<int64_t>(order()), {count}, generator, torch::kInt64);
}

Tensor PlanarGroup::distance(const Tensor& g, const Tensor& h) const {
  return (g != h).to(torch::kFloat64);
}

Tensor PlanarGroup::matrix(const Tensor& g) const {
  const Tensor table = torch::empty({2 * n_, 2, 2}, torch::kFloat64);
  auto out = table.accessor<double, 3>();
  for (int64_t k = 0; k < n_; ++k) {
    const double angle = 2.0 * M_PI * static_cast<double>(k) / static_cast<double>(n_);
    const auto clean = [](double v) { return std::abs(v) < 1e-15 ? 0.0 : v; };  // quarter turns
    const double c = clean(std::cos(angle)), s = clean(std::sin(angle));
    for (int64_t mirrored = 0; mirrored < 2; ++mirrored) {
      const double sign = mirrored == 1 ? -1.0 : 1.0;
      auto m = out[mirrored * n_ + k];
      m[0][0] = c;
      m[0][1] = -s * sign;
      m[1][0] = s;
      m[1][1] = c * sign;
    }
  }
  return table.index({g});
}

Tensor PlanarGroup::act(const FieldType& rho, const Tensor& g, const Tensor& x) const {
  return transform(rho, 2, {matrix(g), {}}, x);
}
Tensor PlanarGroup::act_inverse(const FieldType& rho, const Tensor& g, const Tensor& x) const {
  return transform_inverse(rho, 2, {matrix(g), {}}, x);
}
Batch PlanarGroup::act(const FieldType& rho, const Tensor& g, const Batch& x) const {
  return x.with_x(act(rho, g, x.x));
}
Batch PlanarGroup::act_inverse(const FieldType& rho, const Tensor& g, const Batch& x) const {
  return x.with_x(act_inverse(rho, g, x.x));
}

FieldType PlanarGroup::type(const std::string& text) const {
  return FieldType::parse(text);
}

double PlanarGroup::order() const {
  return static_cast<double>(reflections_ == Reflections::kIncluded ? 2 * n_ : n_);
}

Tensor PlanarGroup::elements() const {
  return torch::arange(static_cast<int64_t>(order()));
}

}  // namespace equiframe::inline groups
