#include "training/engine/optimizer.h"

#include <cmath>

#include <torch/types.h>

#include "core/plain_text.h"
#include "nn/kernels/adam.h"

namespace equiframe::inline training {
namespace {

constexpr int64_t kLineBytes = 64;

/// `offset` numbers rounded up to a cache line.
int64_t aligned(int64_t offset, size_t item_bytes) {
  const int64_t line = kLineBytes / static_cast<int64_t>(item_bytes);
  return (offset + line - 1) / line * line;
}

}  // namespace

FlatParameters::FlatParameters(torch::nn::Module& module) {
  const auto named = module.named_parameters();
  auto options = torch::TensorOptions(torch::kFloat32);
  if (!named.is_empty()) options = options.dtype(named[0].value().dtype());
  int64_t offset = 0;
  for (const auto& item : named) {
    const Tensor& parameter = item.value();
    TORCH_CHECK(parameter.dtype() == options.dtype() && parameter.device().is_cpu(),
                "FlatParameters: '", item.key(), "' differs in type or device from the others");
    parts_.push_back({item.key(), parameter, offset});
    offset = aligned(offset + parameter.numel(), parameter.element_size());
  }
  values_ = torch::zeros({offset}, options);
  const torch::NoGradGuard no_grad;
  for (Part& part : parts_) {
    const Tensor view =
        values_.narrow(0, part.offset, part.parameter.numel()).view(part.parameter.sizes());
    view.copy_(part.parameter);
    part.parameter.set_data(view);
  }
}

void FlatParameters::assign(const Tensor& values) {
  TORCH_CHECK(values.sizes() == values_.sizes(), "FlatParameters: ", values.sizes(),
              " numbers for ", values_.sizes());
  const torch::NoGradGuard no_grad;
  values_.copy_(values);
  mark_changed();
}

Tensor FlatParameters::zeros() const {
  return torch::zeros_like(values_);
}

std::string FlatParameters::layout() const {
  std::string result = c10::toString(c10::typeMetaToScalarType(values_.dtype()));
  for (const Part& part : parts_)
    result += text::plain("; ", part.name, " ", part.parameter.sizes(), " @", part.offset);
  return result;
}

void FlatParameters::mark_changed() {
  for (const Part& part : parts_) part.parameter.unsafeGetTensorImpl()->bump_version();
}

void FlatParameters::clear_gradients() {
  for (const Part& part : parts_) part.parameter.mutable_grad() = Tensor();
}

double FlatParameters::gradient_norm() const {
  double sum = 0;
  for (const Part& part : parts_) {
    if (!part.parameter.grad().defined()) continue;
    const double norm = part.parameter.grad().norm().item<double>();
    sum += norm * norm;
  }
  return std::sqrt(sum);
}

void FlatParameters::scale_gradients(double factor) {
  for (const Part& part : parts_) {
    if (part.parameter.grad().defined()) part.parameter.mutable_grad().mul_(factor);
  }
}

Adam::Adam(FlatParameters& parameters, const AdamOptions& options)
    : parameters_(parameters),
      options_(options),
      mean_(parameters.zeros()),
      variance_(parameters.zeros()) {}

void Adam::step(int64_t step, double lr) {
  const auto t = static_cast<double>(step);
  const bool decoupled = options_.kind == OptimizerKind::kAdamW;
  kernels::AdamStep constants;
  constants.beta1 = options_.beta1;
  constants.beta2 = options_.beta2;
  constants.epsilon = options_.epsilon;
  constants.rate = lr / (1 - std::pow(options_.beta1, t));
  constants.root_scale = 1 / std::sqrt(1 - std::pow(options_.beta2, t));
  constants.l2 = decoupled ? 0 : options_.weight_decay;
  constants.keep = decoupled ? 1 - lr * options_.weight_decay : 1;
  AT_DISPATCH_FLOATING_TYPES(parameters_.values().scalar_type(), "Adam::step", [&] {
    auto* weights = parameters_.values().data_ptr<scalar_t>();
    auto* mean = mean_.data_ptr<scalar_t>();
    auto* variance = variance_.data_ptr<scalar_t>();
    for (const FlatParameters::Part& part : parameters_.parts()) {
      const Tensor& gradient = part.parameter.grad();
      if (!gradient.defined()) continue;
      const Tensor dense = gradient.contiguous();
      kernels::adam_update(constants, static_cast<size_t>(dense.numel()),
                           dense.data_ptr<scalar_t>(), weights + part.offset, mean + part.offset,
                           variance + part.offset);
    }
  });
  parameters_.mark_changed();
}

void update_average(Tensor& average, const Tensor& values, double decay, int64_t step) {
  const auto t = static_cast<double>(step);
  const double rate = 1 - std::min(decay, (1 + t) / (10 + t));
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "update_average", [&] {
    kernels::move_average(rate, static_cast<size_t>(values.numel()), values.data_ptr<scalar_t>(),
                          average.data_ptr<scalar_t>());
  });
}

}  // namespace equiframe::inline training
