#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/point_groups.h"

namespace equiframe::inline groups {

SignFlips::SignFlips(int64_t dim) : dim_(dim) {
  if (dim < 1 || dim > 30)
    throw UserError(c10::str("flips(d) needs a dimension from 1 to 30, got ", dim));
}

std::string SignFlips::name() const {
  return text::plain("flips(", dim_, ")");
}

Tensor SignFlips::identity() const {
  return torch::zeros({}, torch::kInt64);
}
Tensor SignFlips::compose(const Tensor& g, const Tensor& h) const {
  return g.bitwise_xor(h);
}
Tensor SignFlips::inverse(const Tensor& g) const {
  return g;
}
Tensor SignFlips::sample(int64_t count, at::Generator& generator) const {
  return torch::randint(int64_t{1} << dim_, {count}, generator, torch::kInt64);
}
Tensor SignFlips::distance(const Tensor& g, const Tensor& h) const {
  return (g != h).to(torch::kFloat64);
}

Tensor SignFlips::matrix(const Tensor& g) const {
  const Tensor bits = g.unsqueeze(-1).bitwise_right_shift(torch::arange(dim_)).bitwise_and(1);
  return torch::diag_embed((1 - 2 * bits).to(torch::kFloat64));
}

Tensor SignFlips::act(const FieldType& rho, const Tensor& g, const Tensor& x) const {
  return transform(rho, dim_, {matrix(g), {}}, x);
}
Tensor SignFlips::act_inverse(const FieldType& rho, const Tensor& g, const Tensor& x) const {
  return transform_inverse(rho, dim_, {matrix(g), {}}, x);
}
Batch SignFlips::act(const FieldType& rho, const Tensor& g, const Batch& x) const {
  return x.with_x(act(rho, g, x.x));
}
Batch SignFlips::act_inverse(const FieldType& rho, const Tensor& g, const Batch& x) const {
  return x.with_x(act_inverse(rho, g, x.x));
}

FieldType SignFlips::type(const std::string& text) const {
  return FieldType::parse(text);
}

double SignFlips::order() const {
  return static_cast<double>(int64_t{1} << dim_);
}

Tensor SignFlips::elements() const {
  return torch::arange(int64_t{1} << dim_);
}

}  // namespace equiframe::inline groups
