#include "nn/layers/perceptron.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/kernels/perceptron.h"
#include "nn/layers/fused.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kPerceptron = "Perceptron";

/// weight, bias, weight, bias, ...; the last bias may be left out.
template <class T>
std::vector<kernels::DenseLayer<T>> layers_of(const variable_list& parameters,
                                              kernels::Between activation) {
  std::vector<kernels::DenseLayer<T>> layers;
  for (size_t k = 0; k < parameters.size(); k += 2)
    layers.push_back({parameters[k].data_ptr<T>(),
                      k + 1 < parameters.size() ? parameters[k + 1].data_ptr<T>() : nullptr,
                      parameters[k].size(1), parameters[k].size(0), activation});
  return layers;
}

struct Rows {
  Tensor y, tape;
};

/// x [rows, in], contiguous.
Rows run_forward(const Tensor& x, const variable_list& parameters, kernels::Between activation,
                 bool keep_tape) {
  Rows result;
  const int64_t rows = x.size(0), out = parameters[(parameters.size() - 1) / 2 * 2].size(0);
  const auto options = x.options().requires_grad(false);
  result.y = torch::empty({rows, out}, options);
  fused::for_type(x, kPerceptron, [&](auto zero) {
    using T = decltype(zero);
    const auto layers = layers_of<T>(parameters, activation);
    const int64_t tape = kernels::perceptron_tape(layers);
    if (keep_tape) result.tape = torch::empty({rows, tape}, options);
    fused::for_chunks(rows, fused::chunk_count(rows), [&](int64_t, int64_t first, int64_t count) {
      kernels::perceptron_forward<T>(
          count, layers, x.data_ptr<T>() + first * x.size(1), result.y.data_ptr<T>() + first * out,
          keep_tape ? result.tape.data_ptr<T>() + first * tape : nullptr);
    });
  });
  return result;
}

/// dx first (undefined unless wanted), then the gradients of the parameters.
variable_list run_backward(const Tensor& x, const Tensor& tape, const Tensor& dy,
                           const variable_list& parameters, kernels::Between activation,
                           bool wants_x) {
  const int64_t rows = x.size(0), chunks = fused::chunk_count(rows);
  variable_list result{wants_x ? torch::empty_like(x) : Tensor()};
  for (const Tensor& p : parameters) result.push_back(fused::chunked_zeros(chunks, p));
  fused::for_type(x, kPerceptron, [&](auto zero) {
    using T = decltype(zero);
    const auto layers = layers_of<T>(parameters, activation);
    fused::for_chunks(rows, chunks, [&](int64_t chunk, int64_t first, int64_t count) {
      const auto from = [](const Tensor& t, int64_t offset) {
        return t.defined() ? t.data_ptr<T>() + offset : nullptr;
      };
      kernels::PerceptronGradients<T> g{from(x, first * x.size(1)),
                                        from(dy, first * dy.size(1)),
                                        from(tape, first * tape.size(1)),
                                        from(result[0], first * x.size(1)),
                                        {}};
      for (size_t k = 0; k < parameters.size(); k += 2)
        g.layers.push_back(
            {from(result[k + 1], chunk * parameters[k].numel()),
             k + 2 < result.size() ? from(result[k + 2], chunk * parameters[k].size(0)) : nullptr});
      kernels::perceptron_backward<T>(count, layers, g);
    });
  });
  for (size_t k = 1; k < result.size(); ++k) result[k] = fused::sum_chunks(result[k]);
  return result;
}

/// The gradient of a list of parameters comes back in the order of the list.
class PerceptronFunction final : public torch::autograd::Function<PerceptronFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, at::TensorList parameters,
                        int64_t activation) {
    const Rows result =
        run_forward(x, parameters.vec(), static_cast<kernels::Between>(activation), true);
    variable_list saved{x, result.tape};
    saved.insert(saved.end(), parameters.begin(), parameters.end());
    context->save_for_backward(std::move(saved));
    context->saved_data["wants_x"] = x.requires_grad();
    context->saved_data["activation"] = activation;
    return result.y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    fused::refuse_second_derivative(kPerceptron, fused::kUsePlain);
    const variable_list saved = context->get_saved_variables();
    const auto activation =
        static_cast<kernels::Between>(context->saved_data["activation"].toInt());
    variable_list result = run_backward(saved[0], saved[1], gradients[0].contiguous(),
                                        {saved.begin() + 2, saved.end()}, activation,
                                        context->saved_data["wants_x"].toBool());
    result.emplace_back();  // the activation has no gradient
    return result;
  }
};

}  // namespace

Perceptron::Perceptron(const std::vector<int64_t>& widths, LastBias last_bias,
                       Activation activation)
    : activation_(activation) {
  TORCH_CHECK(widths.size() >= 2, "Perceptron: at least two widths are needed");
  for (size_t k = 0; k + 1 < widths.size(); ++k) {
    const bool last = k + 2 == widths.size();
    const auto options = torch::nn::LinearOptions(widths[k], widths[k + 1])
                             .bias(!last || last_bias == LastBias::kYes);
    layers_.push_back(register_module("layer" + std::to_string(k + 1), torch::nn::Linear(options)));
  }
}

Tensor Perceptron::forward(const Tensor& x) {
  TORCH_CHECK(x.size(-1) == layers_.front()->weight.size(1), "Perceptron: x must have ",
              layers_.front()->weight.size(1), " channels, got ", x.sizes());
  variable_list parameters;
  for (const torch::nn::Linear& layer : layers_) {
    parameters.push_back(layer->weight.to(x.dtype()));
    if (layer->bias.defined()) parameters.push_back(layer->bias.to(x.dtype()));
  }
  auto shape = x.sizes().vec();
  shape.back() = layers_.back()->weight.size(0);
  const Tensor rows = x.reshape({-1, x.size(-1)}).contiguous();
  const bool tracked =
      torch::GradMode::is_enabled() && (x.requires_grad() || parameters[0].requires_grad());
  const Tensor y = tracked ? PerceptronFunction::apply(rows, at::TensorList(parameters),
                                                       static_cast<int64_t>(activation_))
                           : run_forward(rows, parameters, activation_, false).y;
  return y.view(shape);
}

Tensor Perceptron::plain(const Tensor& x) {
  Tensor value = x;
  for (size_t k = 0; k < layers_.size(); ++k) {
    value = layers_[k]->forward(value);
    if (k + 1 < layers_.size())
      value = activation_ == Activation::kSilu ? torch::silu(value) : torch::relu(value);
  }
  return value;
}

}  // namespace equiframe::inline nn
