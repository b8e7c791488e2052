#include "nn/clouds/edge_pool.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/clouds/edge_work.h"

namespace equiframe::inline nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kEdgePool = "edge_pool";

/// {mean, variance} of v.
class StatisticsFunction final : public torch::autograd::Function<StatisticsFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& sender,
                               const Tensor& receiver, const Tensor& neighbors,
                               const std::vector<int64_t>& first) {
    const EdgeWork work({sender, receiver, neighbors, {}}, first);
    const RowNorm::Statistics s = work.measure();
    context->save_for_backward(
        {work.edges().sender, work.edges().receiver, work.edges().neighbors, s.mean});
    context->saved_data["first"] = first;
    return {s.mean, s.variance};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    fused::refuse_second_derivative(kEdgePool);
    const variable_list saved = context->get_saved_variables();
    const EdgeWork work({saved[0], saved[1], saved[2], {}},
                        context->saved_data["first"].toIntVector());
    const auto type = saved[0].scalar_type();
    const Tensor slant = gradients[1] * (2 / work.count());
    const Tensor offset = gradients[0] / work.count() - slant * saved[3];
    const auto d = work.backward({offset.to(type), slant.to(type), {}, {}, {}, {}});
    return {d[0], d[1], Tensor(), Tensor()};
  }
};

/// {pooled, mean, variance}. No numbers: no weight. The weight of the norm must not be negative for
/// the maximum, so that the largest v is the largest value.
class PoolFunction final : public torch::autograd::Function<PoolFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& sender,
                               const Tensor& receiver, const Tensor& weight, const Tensor& scale,
                               const Tensor& bias, const Tensor& neighbors,
                               const RowNorm::Statistics& known, Pool pool,
                               const std::vector<int64_t>& first) {
    const EdgeWork work({sender, receiver, neighbors, weight.numel() > 0 ? weight : Tensor()},
                        first);
    const bool measured = !known.mean.defined();
    const RowNorm::Statistics s = measured ? work.measure() : known;
    const Tensor mean = s.mean.to(torch::kFloat64);
    const Tensor inverse = (s.variance.to(torch::kFloat64) + RowNorm::kEps).rsqrt();
    const Tensor by = scale.to(torch::kFloat64) * inverse;
    const auto type = receiver.scalar_type();
    const Tensor slope = by.to(type), shift = (bias.to(torch::kFloat64) - mean * by).to(type);
    // kMax: the largest v and its place; kMean: means of leaky' and leaky' v.
    const Tensor first_table = work.table(), second_table = work.table();
    const Tensor y = pool == Pool::kMax ? pool_max(work, slope, shift, first_table, second_table)
                                        : pool_mean(work, slope, shift, first_table, second_table);
    const Edges& e = work.edges();
    context->save_for_backward({e.sender, e.receiver, e.weight, e.neighbors, first_table,
                                second_table, slope, shift, mean, inverse, scale});
    context->saved_data["first"] = first;
    context->saved_data["max"] = pool == Pool::kMax;
    context->saved_data["measured"] = measured;
    const Tensor out_mean = mean.clone(), out_variance = s.variance.clone();
    context->mark_non_differentiable({out_mean, out_variance});
    return {y, out_mean, out_variance};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    fused::refuse_second_derivative(kEdgePool);
    const variable_list saved = context->get_saved_variables();
    const EdgeWork work({saved[0], saved[1], saved[3], saved[2]},
                        context->saved_data["first"].toIntVector());
    const Tensor &one = saved[4], &two = saved[5], &slope = saved[6], &shift = saved[7];
    const Tensor &mean = saved[8], &inverse = saved[9], &scale = saved[10];
    const Tensor dy = gradients[0].contiguous();
    const bool is_max = context->saved_data["max"].toBool();
    const Tensor active = is_max ? leaky_slope(one * slope + shift) * dy : dy * one;  // dy leaky'
    const Tensor moved = is_max ? active * one : dy * two;                            // times v
    const Tensor d_shift = active.sum(0, false, torch::kFloat64);
    const Tensor d_by = moved.sum(0, false, torch::kFloat64) - mean * d_shift;
    EdgeWork::Slopes s{
        torch::zeros_like(slope), torch::zeros_like(slope), {}, {}, slope, shift, slope::kLeaky};
    s.local = is_max ? active * slope : dy * (slope / work.degree());
    if (is_max) s.place = two;
    if (context->saved_data["measured"].toBool()) {
      const Tensor wide = scale.to(torch::kFloat64) * inverse / work.count();
      const Tensor slant = -wide * d_by * inverse.square();
      s.slant = slant.to(slope.dtype());
      s.offset = (-wide * d_shift - slant * mean).to(slope.dtype());
    }
    const auto d = work.backward(s);
    return {d[0],
            d[1],
            d[2],
            (d_by * inverse).to(scale.dtype()),
            d_shift.to(scale.dtype()),
            Tensor(),
            Tensor(),
            Tensor(),
            Tensor()};
  }

 private:
  static Tensor leaky_slope(const Tensor& z) {
    return torch::where(z > 0, torch::ones({}, z.options()),
                        torch::full({}, slope::kLeaky, z.options()));
  }

  static Tensor pool_max(const EdgeWork& work, const Tensor& scale, const Tensor& shift,
                         const Tensor& largest, const Tensor& place) {
    work.run([&](auto zero, int64_t, int64_t from, const auto& shape, const auto& input) {
      using T = decltype(zero);
      const int64_t at = from * work.width();
      kernels::edge_max<T>(shape, input, largest.data_ptr<T>() + at, place.data_ptr<T>() + at);
    });
    return torch::leaky_relu(torch::addcmul(shift, largest, scale), slope::kLeaky);
  }

  static Tensor pool_mean(const EdgeWork& work, const Tensor& scale, const Tensor& shift,
                          const Tensor& slopes, const Tensor& values) {
    const Tensor y = work.table();
    work.run([&](auto zero, int64_t, int64_t from, const auto& shape, const auto& input) {
      using T = decltype(zero);
      const int64_t at = from * work.width();
      kernels::edge_mean<T>(
          shape, input, {scale.data_ptr<T>(), shift.data_ptr<T>(), static_cast<T>(slope::kLeaky)},
          {y.data_ptr<T>() + at, slopes.data_ptr<T>() + at, values.data_ptr<T>() + at});
    });
    return y;
  }
};

}  // namespace

RowNorm::Statistics edge_statistics(const PackedPoints& rows, const Edges& edges) {
  const auto s =
      StatisticsFunction::apply(edges.sender, edges.receiver, edges.neighbors, rows.first());
  return {s[0], s[1]};
}

Tensor edge_pool(const PackedPoints& rows, const Edges& edges, RowNorm& norm, Pool pool) {
  const int64_t count = edges.neighbors.numel();
  const auto run = [&](const Edges& e, const Tensor& scale, const RowNorm::Statistics& s) {
    const Tensor weight = e.weight.defined() ? e.weight : torch::empty({0}, e.sender.options());
    return PoolFunction::apply(e.sender, e.receiver, weight, scale, norm.bias, e.neighbors, s, pool,
                               rows.first());
  };
  RowNorm::Statistics known = norm.known(count);
  const Tensor negative = norm.weight.detach() < 0;
  if (pool == Pool::kMean || !negative.any().item<bool>()) {
    const auto results = run(edges, norm.weight, known);
    norm.observe(results[1], results[2], count);
    return results[0];
  }
  // What has a negative weight is largest where its opposite is smallest: pool that one.
  const Tensor sign = 1 - 2 * negative.to(norm.weight.dtype());
  Edges turned = edges;
  if (edges.weight.defined()) {
    turned.weight = edges.weight * sign.unsqueeze(1);
  } else {
    turned.sender = edges.sender * sign;
    turned.receiver = edges.receiver * sign;
  }
  if (known.mean.defined()) known.mean = known.mean * sign;
  const auto results = run(turned, norm.weight * sign, known);
  norm.observe(results[1] * sign, results[2], count);
  return results[0];
}

}  // namespace equiframe::inline nn
