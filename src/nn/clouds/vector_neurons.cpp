#include "nn/clouds/vector_neurons.h"

#include <limits>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/kernels/vector_relu.h"
#include "nn/layers/fused.h"
#include "nn/layers/without_bias.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kVectorBlock = "VectorBlock";

/// q and d side by side, [R, 3, C + D]; D is C or 1.
struct Both {
  Tensor values;
  int64_t channels;

  int64_t rows() const { return values.size(0); }
  int64_t stride() const { return values.size(2); }

  template <class T>
  kernels::VectorRows<const T> vectors(int64_t row) const {
    return {values.data_ptr<T>() + row * 3 * stride(), stride()};
  }
  template <class T>
  kernels::VectorReluInput<T> input(int64_t row, const Tensor& ratio, double slope) const {
    const T* start = values.data_ptr<T>() + row * 3 * stride();
    return {{start, stride()},
            ratio.data_ptr<T>() + row * channels,
            {start + channels, stride()},
            stride() == 2 * channels ? 1 : 0,
            static_cast<T>(slope),
            static_cast<T>(kVectorEps)};
  }

  /// f(T{}, first row, rows) on all threads.
  template <class F>
  void for_rows(const F& f) const {
    fused::for_type(values, kVectorBlock, [&](auto zero) {
      fused::for_chunks(rows(), fused::chunk_count(rows()),
                        [&](int64_t, int64_t first, int64_t count) { f(zero, first, count); });
    });
  }
};

/// {y, mean, variance} of the lengths.
class VectorReluFunction final : public torch::autograd::Function<VectorReluFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& values, const Tensor& weight,
                               const Tensor& bias, const RowNorm::Statistics& known, double slope) {
    const Both both{values.contiguous(), weight.size(0)};
    const auto options = values.options().requires_grad(false);
    const Tensor lengths = torch::empty({both.rows(), both.channels}, options);
    both.for_rows([&](auto zero, int64_t first, int64_t count) {
      using T = decltype(zero);
      kernels::vector_lengths<T>(count, both.channels, both.vectors<T>(first), T(kVectorEps),
                                 lengths.data_ptr<T>() + first * both.channels);
    });
    const bool measured = !known.mean.defined();
    const RowNorm::Statistics s = measured ? measure_rows(lengths) : known;
    const Tensor ratio = torch::empty_like(lengths);
    norm_rows(lengths, s, {weight, bias}, slope::kNone, ratio);
    ratio.div_(lengths);
    const Tensor y = torch::empty({both.rows(), 3, both.channels}, options);
    both.for_rows([&](auto zero, int64_t first, int64_t count) {
      using T = decltype(zero);
      kernels::vector_relu<T>(count, both.channels, both.input<T>(first, ratio, slope),
                              y.data_ptr<T>() + first * 3 * both.channels);
    });
    context->save_for_backward({both.values, lengths, ratio, weight, bias, s.mean, s.variance});
    context->saved_data["measured"] = measured;
    context->saved_data["slope"] = slope;
    const Tensor mean = s.mean.clone(), variance = s.variance.clone();
    context->mark_non_differentiable({mean, variance});
    return {y, mean, variance};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    fused::refuse_second_derivative(kVectorBlock);
    const variable_list saved = context->get_saved_variables();
    const Tensor &lengths = saved[1], &ratio = saved[2];
    const Both both{saved[0], lengths.size(1)};
    const double slope = context->saved_data["slope"].toDouble();
    const Tensor dy = gradients[0].contiguous();
    const Tensor d_both = torch::empty_like(both.values), d_ratio = torch::empty_like(ratio);
    const int64_t c = both.channels, stride = both.stride();
    both.for_rows([&](auto zero, int64_t first, int64_t count) {
      using T = decltype(zero);
      T* start = d_both.data_ptr<T>() + first * 3 * stride;
      kernels::vector_relu_backward<T>(count, c, both.input<T>(first, ratio, slope),
                                       {dy.data_ptr<T>() + first * 3 * c,
                                        {start, stride},
                                        d_ratio.data_ptr<T>() + first * c,
                                        {start + c, stride}});
    });
    d_ratio.div_(lengths);  // the gradient of norm(n), as ratio = norm(n) / n
    const RowNorm::Gradients d = norm_rows_backward(
        lengths, d_ratio, {saved[5], saved[6]}, {saved[3], saved[4]}, slope::kNone,
        context->saved_data["measured"].toBool() ? Measured::kHere : Measured::kBefore);
    const Tensor d_lengths = d.x.addcmul_(d_ratio, ratio, -1);
    both.for_rows([&](auto zero, int64_t first, int64_t count) {
      using T = decltype(zero);
      kernels::add_lengths_gradient<T>(count, c, both.vectors<T>(first),
                                       d_lengths.data_ptr<T>() + first * c,
                                       {d_both.data_ptr<T>() + first * 3 * stride, stride});
    });
    return {d_both, d.weight, d.bias, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor map_vectors(const Tensor& v, const Tensor& weight) {
  return v.flatten(0, 1).mm(weight.t()).unflatten(0, {v.size(0), 3});
}

Tensor project(const Tensor& v, const Tensor& frame) {
  return v.transpose(1, 2).bmm(frame).flatten(1);
}

VectorBlock::VectorBlock(int64_t in, int64_t out, double slope, Directions directions)
    : slope_(slope) {
  map_ = register_module("map", without_bias(in, out));
  direction_ =
      register_module("direction", without_bias(in, directions == Directions::kOwn ? out : 1));
  norm_ = register_module("norm", std::make_shared<RowNorm>(out));
}

Tensor VectorBlock::weights() const {
  return torch::cat({map_->weight, direction_->weight});
}

Tensor VectorBlock::finish(const Tensor& both) {
  const auto results = VectorReluFunction::apply(both, norm_->weight, norm_->bias,
                                                 norm_->known(both.size(0)), slope_);
  norm_->observe(results[1], results[2], both.size(0));
  return results[0];
}

Tensor VectorBlock::forward(const PackedPoints& rows, const Tensor& v, const Tensor& shared) {
  const Tensor all = weights();
  const int64_t own = v.size(2);
  return finish(rows.add(map_vectors(v, all.narrow(1, 0, own)),
                         map_vectors(shared, all.narrow(1, own, shared.size(2)))));
}

Tensor VectorBlock::forward_edges(const Tensor& v, const Tensor& neighbors) {
  const Tensor all = weights();
  const int64_t in = v.size(2), k = neighbors.size(1);
  const Tensor difference = all.narrow(1, 0, in), own = all.narrow(1, in, in) - difference;
  const Tensor senders = map_vectors(v, difference).index_select(0, neighbors.flatten());
  const Tensor both = senders.unflatten(0, {-1, k}) + map_vectors(v, own).unsqueeze(1);
  return finish(both.flatten(0, 1)).unflatten(0, {-1, k});
}

Tensor normalize_vectors(const Tensor& v, RowNorm& norm) {
  const Tensor lengths = v.norm(2, 1) + kVectorEps;  // [R, C]
  return v * (norm.forward(lengths, slope::kNone) / lengths).unsqueeze(1);
}

VectorPool::VectorPool(int64_t channels, Pool pool) {
  if (pool == Pool::kMax)
    direction_ = register_module("direction", without_bias(channels, channels));
}

Tensor VectorPool::forward(const Tensor& v, const Tensor& mask) {
  if (!direction_) {
    if (!mask.defined()) return v.mean(1);
    const Tensor weight = mask.to(v.dtype()).unsqueeze(-1).unsqueeze(-1);  // [G, L, 1, 1]
    return (v * weight).sum(1) / weight.sum(1);
  }
  return v.gather(1, farthest(v, mask).unsqueeze(2).expand({-1, -1, 3, -1})).squeeze(1);
}

Tensor VectorPool::farthest(const Tensor& v, const Tensor& mask) {
  const torch::NoGradGuard guard;
  const Tensor along = (v * direction_->forward(v)).sum(2);  // [G, L, C]
  if (!mask.defined()) return along.argmax(1, /*keepdim=*/true);
  const Tensor hidden = mask.logical_not().unsqueeze(-1);
  return along.masked_fill(hidden, -std::numeric_limits<double>::infinity())
      .argmax(1, /*keepdim=*/true);
}

VectorFrame::VectorFrame(int64_t channels, double slope) {
  const int64_t half = channels / 2, quarter = channels / 4;
  first_ = register_module("first", std::make_shared<VectorBlock>(channels, half, slope));
  second_ = register_module("second", std::make_shared<VectorBlock>(half, quarter, slope));
  last_ = register_module("last", without_bias(quarter, 3));
}

Tensor VectorFrame::forward(const PackedPoints& rows, const Tensor& v, const Tensor& shared) {
  return map_vectors(second_->forward(first_->forward(rows, v, shared)), last_->weight);
}

}  // namespace equiframe::inline nn
