#include <limits>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "frames/euclidean/principal_axes.h"

namespace equiframe::inline frames {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// values L and axes V as functions of the symmetric matrix C = V L V^T, whose decomposition is
/// already known: dL = diag(V^T dC V), dV = V S with S_ij = (V^T dC V)_ij / (l_j - l_i). The
/// backward step is written in the outputs, so it has derivatives too.
class EigenFunction final : public torch::autograd::Function<EigenFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& /*matrix*/,
                               const Tensor& values, const Tensor& axes, double tolerance) {
    const Tensor own_values = values.clone(), own_axes = axes.clone();
    context->save_for_backward({own_values, own_axes});
    context->saved_data["tolerance"] = tolerance;
    return {own_values, own_axes};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &values = saved[0], &v = saved[1];
    const double tolerance = context->saved_data["tolerance"].toDouble();
    Tensor inner;
    if (gradients[1].defined())
      inner = v.transpose(1, 2).matmul(gradients[1]) * inverse_gaps(values, tolerance);
    if (gradients[0].defined()) {
      const Tensor diagonal = torch::diag_embed(gradients[0]);
      inner = inner.defined() ? inner + diagonal : diagonal;
    }
    if (!inner.defined()) return {Tensor(), Tensor(), Tensor(), Tensor()};
    return {v.matmul(inner).matmul(v.transpose(1, 2)), Tensor(), Tensor(), Tensor()};
  }

 private:
  /// 1 / (l_j - l_i), zero on the diagonal, damped near ties. The gap of a value to itself is put
  /// out of the way first: its derivative cancels on paper, but not in rounded numbers.
  static Tensor inverse_gaps(const Tensor& values, double tolerance) {
    const Tensor scale = values.detach().abs().amax(1).view({-1, 1, 1});
    const Tensor self = torch::eye(values.size(1), values.options());
    const Tensor gap = values.unsqueeze(1) - values.unsqueeze(2) + self * scale;
    const Tensor eta = scale * tolerance;
    return (1 - self) * gap / (gap * gap + eta * eta + std::numeric_limits<double>::min());
  }
};

}  // namespace

Tensor differentiable_axes(const Cloud& cloud, const Tensor& centre, const PrincipalAxes& spectrum,
                           double tolerance) {
  return EigenFunction::apply(scatter_matrix(cloud, centre), spectrum.values, spectrum.axes,
                              tolerance)[1];
}

}  // namespace equiframe::inline frames
