#include "nn/layers/leading_axis.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "linalg/symmetric_eigen.h"
#include "nn/layers/fused.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double kSmallestGap = 1e-3;

/// matrices [M, 3, 3] -> [M, 3].
class LeadingAxis final : public torch::autograd::Function<LeadingAxis> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& input) {
    const Tensor matrices = input.contiguous();
    const Tensor values = torch::empty({matrices.size(0), 3}, matrices.options());
    const Tensor vectors = torch::empty_like(matrices);  // columns, ascending
    fused::for_type(matrices, "leading_axis", [&](auto zero) {
      using T = decltype(zero);
      kernels::eigh3(matrices.size(0), matrices.data_ptr<T>(), values.data_ptr<T>(),
                     vectors.data_ptr<T>());
    });
    context->save_for_backward({values, vectors});
    return vectors.select(2, 2).contiguous();
  }

  /// dn = sum_j u_j <u_j, dA n> / (a - a_j) over the other two eigenvectors u_j.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &values = saved[0], &vectors = saved[1];
    const Tensor axis = vectors.narrow(2, 2, 1), others = vectors.narrow(2, 0, 2);  // [M, 3, 2]
    const Tensor gap = (values.narrow(1, 2, 1) - values.narrow(1, 0, 2)).clamp_min(kSmallestGap);
    const Tensor along = gradients[0].unsqueeze(1).bmm(others).squeeze(1) / gap;       // [M, 2]
    const Tensor left = (others * along.unsqueeze(1)).sum(2, /*keepdim=*/true) * 0.5;  // [M, 3, 1]
    const Tensor half = left.bmm(axis.transpose(1, 2));
    return {half + half.transpose(1, 2)};
  }
};

}  // namespace

Tensor leading_axis(const Tensor& matrices) {
  auto shape = matrices.sizes().vec();
  shape.back() = 3;
  return LeadingAxis::apply(matrices.reshape({-1, 3, 3})).view(shape);
}

}  // namespace equiframe::inline nn
