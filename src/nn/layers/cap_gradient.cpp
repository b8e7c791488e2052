#include "nn/layers/cap_gradient.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class CapGradient final : public torch::autograd::Function<CapGradient> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, double largest) {
    context->saved_data["largest"] = largest;
    return x.view_as(x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const double largest = context->saved_data["largest"].toDouble();
    const Tensor& d = gradients[0];
    const Tensor norm = d.flatten(1).norm(2, 1);  // [B]
    const Tensor finite = norm.isfinite();
    const Tensor factor = (largest / (norm + 1e-12)).clamp_max(1);
    std::vector<int64_t> column(static_cast<size_t>(d.dim()), 1);
    column[0] = -1;
    const Tensor capped = d * factor.view(column);
    return {torch::where(finite.view(column), capped, torch::zeros({}, d.options())), Tensor()};
  }
};

}  // namespace

Tensor cap_gradient(const Tensor& x, double largest) {
  return largest > 0 && x.requires_grad() ? CapGradient::apply(x, largest) : x;
}

}  // namespace equiframe::inline nn
