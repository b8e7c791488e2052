#include <algorithm>

#include <torch/types.h>

#include "equiframe/core/rng.h"
#include "torchscript/operators/named.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators::meta {
namespace {

Tensor shaped(at::IntArrayRef sizes, at::ScalarType type) {
  return at::empty(sizes, at::TensorOptions(at::kMeta).dtype(type));
}

/// One item like x [B, ...] with random values: no ties, full rank.
Tensor generic_item(const NamedFrame<EuclideanGroup>& named, const Tensor& x) {
  auto generator = make_generator(1);
  const int64_t points = std::max<int64_t>(4 * named.group.dim(), 8);
  return torch::randn({1, points, x.size(-1)}, generator, torch::kFloat64);
}
Tensor generic_item(const NamedFrame<SymmetricGroup>& /*named*/, const Tensor& x) {
  auto generator = make_generator(1);
  const Tensor values = torch::rand(x.sizes().slice(1), generator, torch::kFloat64);
  return (values + values.transpose(0, 1)).unsqueeze(0);  // edges without a direction
}

/// K of a generic input.
int64_t element_count(const AnyFrame& any, const Tensor& x) {
  return std::visit(
      [&](const auto& named) { return (*named.frame)(Batch(generic_item(named, x))).size(); }, any);
}

/// The shapes of the elements' parts behind their batch axes, and the type of the first.
struct Parts {
  std::vector<int64_t> linear, shift;
  at::ScalarType type = at::kDouble;
};

Parts parts_of(const AnyFrame& any, const Tensor& x) {
  if (const auto* euclidean = std::get_if<NamedFrame<EuclideanGroup>>(&any)) {
    const int64_t d = euclidean->group.dim();
    return {{d, d}, {d}, x.scalar_type()};
  }
  return {{std::get<NamedFrame<SymmetricGroup>>(any).group.size()}, {0}, at::kLong};
}

std::vector<int64_t> joined(std::vector<int64_t> batch, const std::vector<int64_t>& rest) {
  batch.insert(batch.end(), rest.begin(), rest.end());
  return batch;
}

Tensor with_first_axis(const Tensor& x, int64_t size) {
  auto shape = x.sizes().vec();
  shape[0] = size;
  return shaped(shape, x.scalar_type());
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> frame(
    const Tensor& x, const MaybeTensor& /*mask*/, const std::string& group, const std::string& type,
    const std::string& frame, int64_t /*seed*/, int64_t /*stream*/) {
  const auto named = named_frame(group, type, frame);
  const Parts parts = parts_of(*named, x);
  const int64_t batch = x.size(0), k = element_count(*named, x);
  return {shaped(joined({batch, k}, parts.linear), parts.type),
          shaped(joined({batch, k}, parts.shift), at::kDouble), shaped({batch, k}, at::kDouble),
          shaped({batch}, at::kDouble), shaped({batch}, at::kLong)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> frame_rows(const Tensor& x, const MaybeTensor& mask,
                                                      const std::string& group,
                                                      const std::string& type,
                                                      const std::string& frame, int64_t seed,
                                                      int64_t stream) {
  const auto [linear, shift, weights, margin, stratum] =
      meta::frame(x, mask, group, type, frame, seed, stream);
  return {linear.flatten(0, 1), shift.flatten(0, 1), weights.flatten(),
          shaped({weights.numel()}, at::kLong)};
}

Tensor act(const Tensor& x, const Tensor& linear, const Tensor& /*shift*/, const std::string& group,
           const std::string& type) {
  const auto named = named_action(group, type);
  const int64_t axes =
      linear.dim() - (std::holds_alternative<NamedAction<EuclideanGroup>>(*named) ? 2 : 1);
  auto shape = x.sizes().vec();
  for (int64_t axis = 0; axis < axes; ++axis)
    shape[static_cast<size_t>(axis)] = std::max(x.size(axis), linear.size(axis));
  return shaped(shape, x.scalar_type());
}

Tensor framed(const Tensor& x, const Tensor& linear, const Tensor& /*shift*/,
              const Tensor& /*items*/, const std::string& group, const std::string& type) {
  named_action(group, type);  // refuses unknown names
  return with_first_axis(x, linear.size(0));
}

Tensor combine(const Tensor& y, const Tensor& /*linear*/, const Tensor& /*shift*/,
               const Tensor& /*weights*/, const Tensor& /*items*/, int64_t batch,
               const std::string& group, const std::string& type) {
  named_action(group, type);
  return with_first_axis(y, batch);
}

}  // namespace equiframe::operators::meta
