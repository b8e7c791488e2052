#include "nn/steerable/steerable_messages.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/layers/fused.h"

namespace equiframe::inline nn {
namespace {

using kernels::PairRange;
using kernels::SteerableInput;
using kernels::SteerableShape;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

SteerableShape shape_of(const SteerableOperands& x, int64_t rows_out) {
  return {.pairs = x.first.size(0),
          .nodes = x.features.size(0),
          .rows_in = x.features.size(1),
          .channels_in = x.features.size(2),
          .rows_out = rows_out,
          .channels_out = x.weight.size(3),
          .radial = x.radial.size(2)};
}

template <class T>
SteerableInput<T> input_of(const SteerableOperands& x) {
  return {.features = x.features.data_ptr<T>(),
          .first = x.first.data_ptr<int64_t>(),
          .second = x.second.data_ptr<int64_t>(),
          .radial = x.radial.data_ptr<T>(),
          .basis = x.basis.data_ptr<T>(),
          .weight = x.weight.data_ptr<T>()};
}

/// Part `k` of `parts` nearly equal ones.
PairRange part_of(int64_t pairs, int64_t k, int64_t parts) {
  return {pairs * k / parts, pairs * (k + 1) / parts};
}

/// Threads worth waking: a part should hold some blocks of the kernel.
int64_t parts_of(int64_t pairs) {
  return std::clamp<int64_t>(pairs / 128, 1, at::get_num_threads());
}

Tensor run_forward(const SteerableOperands& x, const SteerableTerms& terms) {
  const SteerableShape shape = shape_of(x, terms.rows_out);
  const Tensor messages =
      torch::empty({shape.pairs, 2, shape.rows_out, shape.channels_out}, x.features.options());
  const int64_t parts = parts_of(shape.pairs);
  AT_DISPATCH_FLOATING_TYPES(x.features.scalar_type(), "steerable_messages", [&] {
    for_each_part(parts, [&](int64_t k) {
      kernels::steerable_forward<scalar_t>(shape, terms.list, input_of<scalar_t>(x),
                                           part_of(shape.pairs, k, parts),
                                           messages.data_ptr<scalar_t>());
    });
  });
  return messages;
}

struct OperandGradients {
  Tensor features, radial, basis, weight;
};

/// Threads add to their own gradients of features and weights, summed in a fixed order.
OperandGradients run_backward(const SteerableOperands& x, const SteerableTerms& terms,
                              const Tensor& messages, bool wants_basis) {
  const SteerableShape shape = shape_of(x, terms.rows_out);
  const int64_t parts = parts_of(shape.pairs);
  const Tensor features = torch::zeros_like(x.features.unsqueeze(0).expand({parts, -1, -1, -1}),
                                            at::MemoryFormat::Contiguous);
  const Tensor weight = torch::zeros_like(x.weight.unsqueeze(0).expand({parts, -1, -1, -1, -1}),
                                          at::MemoryFormat::Contiguous);
  const Tensor radial = torch::zeros_like(x.radial);
  const Tensor basis = wants_basis ? torch::zeros_like(x.basis) : Tensor();
  AT_DISPATCH_FLOATING_TYPES(x.features.scalar_type(), "steerable_messages", [&] {
    for_each_part(parts, [&](int64_t k) {
      const kernels::SteerableGradients<scalar_t> gradients{
          .messages = messages.data_ptr<scalar_t>(),
          .features = features[k].data_ptr<scalar_t>(),
          .radial = radial.data_ptr<scalar_t>(),
          .basis = wants_basis ? basis.data_ptr<scalar_t>() : nullptr,
          .weight = weight[k].data_ptr<scalar_t>()};
      kernels::steerable_backward<scalar_t>(shape, terms.list, input_of<scalar_t>(x),
                                            part_of(shape.pairs, k, parts), gradients);
    });
  });
  const auto total = [&](const Tensor& t) { return parts == 1 ? t[0] : t.sum(0); };
  return {total(features), radial, basis, total(weight)};
}

/// Autograd sees only tensors that are arguments themselves, hence so many of them.
class SteerableMessages : public torch::autograd::Function<SteerableMessages> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& features, const Tensor& radial,
                        const Tensor& basis, const Tensor& weight, const Tensor& first,
                        const Tensor& second, const c10::intrusive_ptr<SteerableTerms>& terms) {
    context->save_for_backward({features, radial, basis, weight, first, second});
    context->saved_data["terms"] = c10::IValue::make_capsule(terms);
    return run_forward({features, radial, basis, weight, first, second}, *terms);
  }

  static variable_list backward(AutogradContext* context, variable_list outputs) {
    fused::refuse_second_derivative("steerable_messages");
    const variable_list x = context->get_saved_variables();
    const auto terms = c10::static_intrusive_pointer_cast<SteerableTerms>(
        context->saved_data["terms"].toCapsule());
    const OperandGradients gradients =
        run_backward({x[0], x[1], x[2], x[3], x[4], x[5]}, *terms, outputs[0].contiguous(),
                     context->needs_input_grad(2));
    return {gradients.features, gradients.radial, gradients.basis, gradients.weight,
            Tensor(),           Tensor(),         Tensor()};
  }
};

}  // namespace

Tensor steerable_messages(const c10::intrusive_ptr<SteerableTerms>& terms,
                          const SteerableOperands& x) {
  const auto type = x.features.scalar_type();
  TORCH_CHECK(x.radial.scalar_type() == type && x.basis.scalar_type() == type &&
                  x.weight.scalar_type() == type,
              "steerable_messages: input and parameters differ in type (", type, " and ",
              x.weight.scalar_type(), ")");
  return SteerableMessages::apply(x.features.contiguous(), x.radial.contiguous(),
                                  x.basis.contiguous(), x.weight.contiguous(), x.first, x.second,
                                  terms);
}

}  // namespace equiframe::inline nn
