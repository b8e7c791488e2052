#include "nn/layers/row_norm.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/kernels/batch_norm.h"
#include "nn/layers/fused.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kRowNorm = "RowNorm";

/// [2, C] float64: sums over the rows, in chunks that do not depend on the number of threads.
template <class F>
Tensor sums_of_rows(const Tensor& x, const F& add) {
  const int64_t chunks = fused::chunk_count(x.size(0));
  const Tensor sums = torch::zeros({chunks, 2, x.size(1)}, torch::kFloat64);
  fused::for_chunks(x.size(0), chunks, [&](int64_t chunk, int64_t first, int64_t count) {
    double* sum = sums.data_ptr<double>() + chunk * 2 * x.size(1);
    add(first, count, sum, sum + x.size(1));
  });
  return fused::sum_chunks(sums);
}

/// x scale + shift, in the type of x.
struct Affine {
  Affine(const Tensor& x, const RowNorm::Statistics& statistics, const RowNorm::Weights& weights)
      : inverse((statistics.variance.to(torch::kFloat64) + RowNorm::kEps).rsqrt()),
        wide(weights.weight.to(torch::kFloat64) * inverse),
        scale(wide.to(x.dtype())),
        shift((weights.bias.to(torch::kFloat64) - statistics.mean.to(torch::kFloat64) * wide)
                  .to(x.dtype())) {}

  template <class T>
  kernels::Activation<T> with(double slope) const {
    return {scale.data_ptr<T>(), shift.data_ptr<T>(), static_cast<T>(slope)};
  }

  Tensor inverse;       // [C] float64, one over the standard deviation
  Tensor wide;          // [C] float64, the scale
  Tensor scale, shift;  // [C]
};

/// f(T{}, first row, rows) on all threads.
template <class F>
void for_rows(const Tensor& x, const F& f) {
  fused::for_type(x, kRowNorm, [&](auto zero) {
    fused::for_chunks(x.size(0), fused::chunk_count(x.size(0)),
                      [&](int64_t, int64_t first, int64_t count) { f(zero, first, count); });
  });
}

/// {y, mean, variance}; undefined statistics: those of the rows.
class NormFunction final : public torch::autograd::Function<NormFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& input, const Tensor& weight,
                               const Tensor& bias, const RowNorm::Statistics& known, double slope) {
    const Tensor x = input.contiguous();
    const bool measured = !known.mean.defined();
    const RowNorm::Statistics s = measured ? measure_rows(x) : known;
    const Tensor y = torch::empty_like(x);
    norm_rows(x, s, {weight, bias}, slope, y);
    context->save_for_backward({x, weight, bias, s.mean, s.variance});
    context->saved_data["slope"] = slope;
    context->saved_data["measured"] = measured;
    const Tensor mean = s.mean.clone(), variance = s.variance.clone();
    context->mark_non_differentiable({mean, variance});
    return {y, mean, variance};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    fused::refuse_second_derivative(kRowNorm);
    const variable_list saved = context->get_saved_variables();
    const RowNorm::Gradients d = norm_rows_backward(
        saved[0], gradients[0].contiguous(), {saved[3], saved[4]}, {saved[1], saved[2]},
        context->saved_data["slope"].toDouble(),
        context->saved_data["measured"].toBool() ? Measured::kHere : Measured::kBefore);
    return {d.x, d.weight, d.bias, Tensor(), Tensor()};
  }
};

}  // namespace

RowNorm::Statistics measure_rows(const Tensor& x) {
  const Tensor pivot = x[0].contiguous();
  Tensor sums;
  fused::for_type(x, kRowNorm, [&](auto zero) {
    using T = decltype(zero);
    sums = sums_of_rows(x, [&](int64_t first, int64_t count, double* sum, double* squares) {
      kernels::column_sums<T>(count, x.size(1), x.data_ptr<T>() + first * x.size(1),
                              pivot.data_ptr<T>(), sum, squares);
    });
  });
  const Tensor mean = sums[0] / x.size(0);
  return {mean + pivot, (sums[1] / x.size(0) - mean.square()).clamp_min(0)};
}

void norm_rows(const Tensor& x, const RowNorm::Statistics& statistics,
               const RowNorm::Weights& weights, double slope, const Tensor& y) {
  const Affine affine(x, statistics, weights);
  const int64_t cols = x.size(1);
  for_rows(x, [&](auto zero, int64_t first, int64_t count) {
    using T = decltype(zero);
    kernels::activate<T>(count, cols, x.data_ptr<T>() + first * cols, affine.with<T>(slope),
                         y.data_ptr<T>() + first * cols);
  });
}

RowNorm::Gradients norm_rows_backward(const Tensor& x, const Tensor& dy,
                                      const RowNorm::Statistics& statistics,
                                      const RowNorm::Weights& weights, double slope,
                                      Measured measured) {
  const Affine affine(x, statistics, weights);
  const int64_t cols = x.size(1);
  const Tensor mean = statistics.mean.to(x.dtype());
  Tensor sums;
  fused::for_type(x, kRowNorm, [&](auto zero) {
    using T = decltype(zero);
    sums = sums_of_rows(x, [&](int64_t first, int64_t count, double* sum, double* moment) {
      kernels::activation_sums<T>(count, cols, x.data_ptr<T>() + first * cols,
                                  dy.data_ptr<T>() + first * cols, affine.with<T>(slope),
                                  mean.data_ptr<T>(), sum, moment);
    });
  });
  const Tensor d_weight = sums[1] * affine.inverse;
  // dx = scale (dz - mean dz - xhat mean(dz xhat)), as scale dz + offset + slant x.
  Tensor offset = torch::zeros_like(affine.scale), slant = offset;
  if (measured == Measured::kHere) {
    const Tensor share = affine.wide / x.size(0);
    const Tensor by = -share * d_weight * affine.inverse;
    slant = by.to(x.dtype());
    offset = (-share * sums[0] - by * statistics.mean).to(x.dtype());
  }
  const Tensor dx = torch::empty_like(x);
  for_rows(x, [&](auto zero, int64_t first, int64_t count) {
    using T = decltype(zero);
    kernels::activation_backward<T>(count, cols, x.data_ptr<T>() + first * cols,
                                    dy.data_ptr<T>() + first * cols, affine.with<T>(slope),
                                    offset.data_ptr<T>(), slant.data_ptr<T>(),
                                    dx.data_ptr<T>() + first * cols);
  });
  return {dx, d_weight.to(weights.weight.dtype()), sums[0].to(weights.bias.dtype())};
}

RowNorm::RowNorm(int64_t channels)
    : weight(register_parameter("weight", torch::ones({channels}))),
      bias(register_parameter("bias", torch::zeros({channels}))),
      running_mean(register_buffer("running_mean", torch::zeros({channels}))),
      running_variance(register_buffer("running_variance", torch::ones({channels}))) {}

RowNorm::Statistics RowNorm::known(int64_t count) const {
  if (is_training() && count > 1) return {};
  return {running_mean, running_variance};
}

void RowNorm::observe(const Tensor& mean, const Tensor& variance, int64_t count) {
  if (!is_training() || count < 2) return;
  const torch::NoGradGuard guard;
  const double unbiased = static_cast<double>(count) / static_cast<double>(count - 1);
  running_mean.lerp_(mean.to(running_mean.dtype()), kMomentum);
  running_variance.lerp_((variance * unbiased).to(running_variance.dtype()), kMomentum);
}

Tensor RowNorm::forward(const Tensor& x, double slope, Input input) {
  TORCH_CHECK(x.dim() == 2 && x.size(1) == weight.size(0), kRowNorm, " of ", weight.size(0),
              " channels was given ", x.sizes());
  const Statistics statistics = known(x.size(0));
  const bool in_place = input == Input::kSpent && !torch::GradMode::is_enabled();
  if (in_place && statistics.mean.defined() && x.is_contiguous()) {
    norm_rows(x, statistics, {weight, bias}, slope, x);
    return x;
  }
  const auto results = NormFunction::apply(x, weight, bias, statistics, slope);
  observe(results[1], results[2], x.size(0));
  return results[0];
}

NormLinear::NormLinear(int64_t in, int64_t out, double slope, Bias bias)
    : linear(register_module(
          "linear", torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(bias == Bias::kYes)))),
      norm(register_module("norm", std::make_shared<RowNorm>(out))),
      slope_(slope) {}

}  // namespace equiframe::inline nn
