#include <algorithm>

#include <torch/types.h>

#include "equiframe/averaging/frame_rows.h"
#include "equiframe/core/rng.h"
#include "equiframe/laws/group_laws.h"
#include "torchscript/operators/elements.h"
#include "torchscript/operators/named.h"
#include "torchscript/operators/operators.h"

namespace equiframe::operators {
namespace {

/// x with its batch axes of size one repeated to those of the elements: a view.
Tensor spread(const Tensor& x, const Tensor& linear, int64_t axes) {
  TORCH_CHECK(x.dim() > axes, "a tensor of shape ", x.sizes(), " is too small for elements of ",
              axes, " batch axes");
  auto shape = x.sizes().vec();
  for (int64_t axis = 0; axis < axes; ++axis) {
    const int64_t here = x.size(axis), wanted = linear.size(axis);
    TORCH_CHECK(here == wanted || here == 1, "elements of batch shape ",
                linear.sizes().slice(0, static_cast<size_t>(axes)),
                " cannot act on a tensor of shape ", x.sizes(), ": axis ", axis, " must be ",
                wanted, " or 1");
    shape[static_cast<size_t>(axis)] = wanted;
  }
  return x.expand(shape);
}

/// K if items is 0 ... 0 1 ... 1 2 ..., each of `batch` items K times; 0 otherwise.
int64_t rows_per_item(const Tensor& items, int64_t batch) {
  const int64_t rows = items.size(0);
  if (batch == 0 || rows == 0 || rows % batch != 0) return 0;
  const int64_t k = rows / batch;
  const Tensor list = items.contiguous();
  const auto* item = list.data_ptr<int64_t>();
  for (int64_t m = 0; m < rows; ++m) {
    if (item[m] != m / k) return 0;
  }
  return k;
}

/// [B * K, ...] as [B, K, ...].
Tensor grouped(const Tensor& rows, int64_t batch, int64_t k) {
  auto shape = rows.sizes().vec();
  shape[0] = k;
  shape.insert(shape.begin(), batch);
  return rows.view(shape);
}

void check_items(const Tensor& items, const Tensor& linear) {
  TORCH_CHECK(
      items.dim() == 1 && items.scalar_type() == torch::kInt64 && items.size(0) == linear.size(0),
      "items must be int64 [", linear.size(0), "], one for each element, got ", items.scalar_type(),
      " ", items.sizes());
}

}  // namespace

Tensor act(const Tensor& x, const Tensor& linear, const Tensor& shift, const std::string& group,
           const std::string& type) {
  return std::visit(
      [&](const auto& named) {
        const auto g = element_of(named.group, linear, shift);
        return named.group.act(named.type, g, spread(x, linear, batch_axes(g)));
      },
      *named_action(group, type));
}

Tensor act_inverse(const Tensor& x, const Tensor& linear, const Tensor& shift,
                   const std::string& group, const std::string& type) {
  return std::visit(
      [&](const auto& named) {
        const auto g = element_of(named.group, linear, shift);
        return named.group.act_inverse(named.type, g, spread(x, linear, batch_axes(g)));
      },
      *named_action(group, type));
}

Tensor framed(const Tensor& x, const Tensor& linear, const Tensor& shift, const Tensor& items,
              const std::string& group, const std::string& type) {
  check_items(items, linear);
  const int64_t k = rows_per_item(items, x.size(0));
  if (k == 0) return act_inverse(x.index_select(0, items), linear, shift, group, type);
  // Every item equally often, in order: its copies are read from one place.
  const int64_t batch = x.size(0);
  return act_inverse(x.unsqueeze(1), grouped(linear, batch, k), grouped(shift, batch, k), group,
                     type)
      .flatten(0, 1);
}

Tensor combine(const Tensor& y, const Tensor& linear, const Tensor& shift, const Tensor& weights,
               const Tensor& items, int64_t batch, const std::string& group,
               const std::string& type) {
  check_items(items, linear);
  TORCH_CHECK(y.dim() > 0 && y.size(0) == items.size(0), "the backbone was given ", items.size(0),
              " inputs and returned a tensor of shape ", y.sizes());
  if (y.dim() == 1)
    return combine(y.unsqueeze(1), linear, shift, weights, items, batch, group, type).squeeze(1);
  return std::visit(
      [&]<Group G>(const NamedAction<G>& named) {
        FrameRows<G> rows;
        rows.elements = element_of(named.group, linear, shift);
        rows.weights = weights.to(torch::kFloat64);
        rows.items = items;
        rows.batch = batch;
        rows.per_item = rows_per_item(items, batch);
        return rows.combine(Symmetry<G>{named.group, {}, named.type}, y, FrameSide::kLeft);
      },
      *named_action(group, type));
}

std::tuple<Tensor, Tensor> sample(const std::string& group, int64_t count, int64_t seed) {
  auto generator = make_generator(static_cast<uint64_t>(seed));
  return std::visit(
      [&](const auto& found) {
        const auto g = found.sample(count, generator);
        return std::make_tuple(linear_of(g), shift_of(g));
      },
      named_group(group));
}

std::tuple<Tensor, Tensor> sample_reflections(int64_t dim, int64_t count, int64_t seed) {
  auto generator = make_generator(static_cast<uint64_t>(seed));
  const auto g = EuclideanGroup::SO(dim).sample(count, generator);
  const Tensor mirror = torch::ones({dim}, torch::kFloat64);
  mirror[0] = -1;
  return {g.linear * mirror, g.shift};
}

double relative_difference(const Tensor& a, const Tensor& b) {
  TORCH_CHECK(a.sizes() == b.sizes(), "tensors of shapes ", a.sizes(), " and ", b.sizes(),
              " cannot be compared");
  return laws::relative_difference(a.to(torch::kFloat64), b.to(torch::kFloat64));
}

}  // namespace equiframe::operators
