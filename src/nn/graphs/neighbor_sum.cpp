#include "nn/graphs/neighbor_sum.h"

#include <algorithm>

#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "core/parallel.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class Number>
void add_rows(const int64_t* list, int64_t degree, const Number* h, int64_t width, Number* y) {
  for (int64_t d = 0; d < degree; ++d) {
    if (list[d] < 0) continue;
    const Number* row = h + list[d] * width;
    for (int64_t c = 0; c < width; ++c) y[c] += row[c];
  }
}

Tensor sum_rows(const Tensor& neighbors, const Tensor& values) {
  constexpr int64_t kTogether = 256;  // nodes to a part
  const Tensor h = values.contiguous(), lists = neighbors.contiguous();
  const Tensor y = torch::zeros_like(h);
  const int64_t nodes = h.size(1), width = h.size(2), degree = lists.size(2);
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "neighbor_sum", [&] {
    const auto* from = h.data_ptr<scalar_t>();
    auto* to = y.data_ptr<scalar_t>();
    for_each_item(h.size(0) * nodes, kTogether, [&](int64_t k) {
      add_rows(lists.data_ptr<int64_t>() + k * degree, degree, from + k / nodes * nodes * width,
               width, to + k * width);
    });
  });
  return y;
}

/// The adjacency of an undirected graph is its own transpose, so the gradient is the same sum.
class NeighborSum final : public torch::autograd::Function<NeighborSum> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& h, const Tensor& neighbors) {
    context->save_for_backward({neighbors});
    return sum_rows(neighbors, h);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    return {NeighborSum::apply(gradients[0], context->get_saved_variables()[0]), Tensor()};
  }
};

}  // namespace

Tensor neighbor_sum(const Batch& batch, const Tensor& h) {
  if (batch.neighbors.defined()) return NeighborSum::apply(h, batch.neighbors);
  return torch::bmm(batch.pair.select(-1, 0), h);
}

}  // namespace equiframe::inline nn
