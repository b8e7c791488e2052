#include "equiframe/groups/euclidean.h"

#include <torch/types.h>

#include "core/plain_text.h"
#include "equiframe/core/error.h"

namespace equiframe::inline groups {

EuclideanGroup::EuclideanGroup(int64_t dim, Linear linear, Shifts shifts)
    : dim_(dim), linear_(linear), shifts_(shifts) {
  if (dim < 1) throw UserError(c10::str("a Euclidean group needs dimension 1 or more, got ", dim));
}

std::string EuclideanGroup::name() const {
  const char* family = linear_ == Linear::kIdentity    ? "T"
                       : linear_ == Linear::kRotations ? (has_shifts() ? "SE" : "SO")
                                                       : (has_shifts() ? "E" : "O");
  return text::plain(family, "(", dim_, ")");
}

EuclideanGroup::Element EuclideanGroup::identity() const {
  return {torch::eye(dim_, torch::kFloat64), torch::zeros({dim_}, torch::kFloat64)};
}

EuclideanGroup::Element EuclideanGroup::compose(const Element& g, const Element& h) const {
  const Tensor turned = g.linear.to(torch::kFloat64).matmul(h.shift.unsqueeze(-1)).squeeze(-1);
  return {g.linear.matmul(h.linear), turned + g.shift};
}

EuclideanGroup::Element EuclideanGroup::inverse(const Element& g) const {
  const Tensor linear = g.linear.transpose(-1, -2);
  return {linear, -linear.to(torch::kFloat64).matmul(g.shift.unsqueeze(-1)).squeeze(-1)};
}

Tensor haar_orthogonal(int64_t dim, EuclideanGroup::Linear linear, int64_t count,
                       at::Generator& generator) {
  if (linear == EuclideanGroup::Linear::kIdentity)
    return torch::eye(dim, torch::kFloat64).expand({count, dim, dim}).contiguous();
  // QR of a Gaussian matrix, with the signs of diag(R) moved into Q, is Haar on O(d).
  const Tensor gaussian = torch::randn({count, dim, dim}, generator, torch::kFloat64);
  auto [q, r] = torch::linalg_qr(gaussian);
  q = q * r.diagonal(0, -2, -1).sign().unsqueeze(-2);
  if (linear == EuclideanGroup::Linear::kOrthogonal) return q;
  const Tensor first = q.narrow(-1, 0, 1) * torch::linalg_det(q).round().view({-1, 1, 1});
  return torch::cat({first, q.narrow(-1, 1, dim - 1)}, -1);
}

EuclideanGroup::Element EuclideanGroup::sample(int64_t count, at::Generator& generator) const {
  const Tensor linear = haar_orthogonal(dim_, linear_, count, generator);
  return {linear, has_shifts() ? torch::randn({count, dim_}, generator, torch::kFloat64)
                               : torch::zeros({count, dim_}, torch::kFloat64)};
}

Tensor EuclideanGroup::distance(const Element& g, const Element& h) const {
  return (g.linear - h.linear).to(torch::kFloat64).flatten(-2).norm(2, -1) +
         (g.shift - h.shift).norm(2, -1);
}

AffineMap EuclideanGroup::map(const Element& g) const {
  return {linear_ == Linear::kIdentity ? Tensor() : g.linear, has_shifts() ? g.shift : Tensor()};
}

Tensor EuclideanGroup::act(const FieldType& rho, const Element& g, const Tensor& x) const {
  return transform(rho, dim_, map(g), x);
}
Tensor EuclideanGroup::act_inverse(const FieldType& rho, const Element& g, const Tensor& x) const {
  return transform_inverse(rho, dim_, map(g), x);
}
Batch EuclideanGroup::act(const FieldType& rho, const Element& g, const Batch& x) const {
  return x.with_x(act(rho, g, x.x));
}
Batch EuclideanGroup::act_inverse(const FieldType& rho, const Element& g, const Batch& x) const {
  return x.with_x(act_inverse(rho, g, x.x));
}

FieldType EuclideanGroup::type(const std::string& text) const {
  return FieldType::parse(text);
}

Tensor EuclideanGroup::homogeneous(const Element& g) const {
  const Tensor top = torch::cat({g.linear.to(torch::kFloat64), g.shift.unsqueeze(-1)}, -1);
  const Tensor last = torch::eye(dim_ + 1, torch::kFloat64).narrow(0, dim_, 1);
  auto shape = top.sizes().vec();
  shape[shape.size() - 2] = 1;
  return torch::cat({top, last.expand(shape)}, -2);
}

}  // namespace equiframe::inline groups
