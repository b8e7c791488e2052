#include "nn/steerable/radial_trunks.h"

#include <cmath>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/kernels/steerable/radial_trunk.h"
#include "nn/layers/fused.h"

namespace equiframe::inline nn {
namespace {

using kernels::TrunkShape;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

TrunkShape shape_of(const Tensor& distance, const Tensor& parameters) {
  return {.inputs = distance.size(0), .width = parameters.size(2)};
}

class TrunkFunction : public torch::autograd::Function<TrunkFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& distance,
                        const Tensor& parameters) {
    context->save_for_backward({distance, parameters});
    const TrunkShape shape = shape_of(distance, parameters);
    const Tensor z =
        torch::empty({parameters.size(0), shape.inputs, shape.width}, distance.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "radial_trunks", [&] {
      for_each_part(parameters.size(0), [&](int64_t k) {
        kernels::radial_trunk_forward<scalar_t>(shape, parameters[k].data_ptr<scalar_t>(),
                                                distance.data_ptr<scalar_t>(),
                                                z[k].data_ptr<scalar_t>());
      });
    });
    return z;
  }

  static variable_list backward(AutogradContext* context, variable_list outputs) {
    fused::refuse_second_derivative("RadialTrunks");
    const variable_list saved = context->get_saved_variables();
    const Tensor &distance = saved[0], &parameters = saved[1];
    const Tensor dz = outputs[0].contiguous();
    const TrunkShape shape = shape_of(distance, parameters);
    const Tensor dparameters = torch::zeros_like(parameters);
    const bool wants_distance = context->needs_input_grad(0);
    const Tensor ddistance =
        wants_distance ? dz.new_empty({parameters.size(0), shape.inputs}) : Tensor();
    AT_DISPATCH_FLOATING_TYPES(dz.scalar_type(), "radial_trunks", [&] {
      for_each_part(parameters.size(0), [&](int64_t k) {
        kernels::radial_trunk_backward<scalar_t>(
            shape, parameters[k].data_ptr<scalar_t>(), distance.data_ptr<scalar_t>(),
            {.z = dz[k].data_ptr<scalar_t>(),
             .parameters = dparameters[k].data_ptr<scalar_t>(),
             .r = wants_distance ? ddistance[k].data_ptr<scalar_t>() : nullptr});
      });
    });
    return {wants_distance ? ddistance.sum(0) : Tensor(), dparameters};
  }
};

}  // namespace

RadialTrunks::RadialTrunks(int64_t networks) {
  const auto uniform = [&](int64_t rows, double bound) {
    return torch::empty({networks, rows, kWidth}).uniform_(-bound, bound);
  };
  const auto constant = [&](double value) { return torch::full({networks, 1, kWidth}, value); };
  // Kaiming's bound sqrt(6 / inputs) for weights, LibTorch's 1 / sqrt(inputs) for biases.
  const double inputs = static_cast<double>(kWidth);
  parameters_ = register_parameter(
      "parameters", torch::cat({uniform(1, std::sqrt(6.0)), uniform(1, 1.0), constant(1),
                                constant(0), uniform(1, 1 / std::sqrt(inputs)), constant(1),
                                constant(0), uniform(kWidth, std::sqrt(6 / inputs))},
                               1));
}

Tensor RadialTrunks::forward(const Tensor& distance) {
  TORCH_CHECK(distance.scalar_type() == parameters_.scalar_type(),
              "RadialTrunks: input and parameters differ in type (", distance.scalar_type(),
              " and ", parameters_.scalar_type(), ")");
  return TrunkFunction::apply(distance.contiguous(), parameters_.contiguous());
}

}  // namespace equiframe::inline nn
