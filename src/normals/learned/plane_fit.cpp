#include "normals/learned/plane_fit.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "linalg/pca.h"

namespace equiframe::inline normals {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double kMinGap = 1e-3;

/// Weighted moments and axes of each patch, all float64.
struct Spectrum {
  Tensor mean, values, axes;
};

template <class T>
Spectrum spectrum_of(const Tensor& x, const Tensor& weights) {
  const auto options = torch::TensorOptions(torch::kFloat64);
  const int64_t count = x.size(0);
  Spectrum result{torch::empty({count, 3}, options), torch::empty({count, 3}, options),
                  torch::empty({count, 3, 3}, options)};
  const kernels::PointSets<T> sets{x.data_ptr<T>(), weights.data_ptr<T>(), count, x.size(1), 3, 3};
  const kernels::PcaFrames<T> frames{nullptr, result.mean.data_ptr<double>(),
                                     result.values.data_ptr<double>(),
                                     result.axes.data_ptr<double>()};
  kernels::pca_frames(sets, kernels::Centre::kMean, kernels::Handedness::kRightOnly, frames);
  return result;
}

class LeastAxis final : public torch::autograd::Function<LeastAxis> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& x, const Tensor& weights) {
    const Tensor points = x.contiguous(), w = weights.contiguous();
    const Spectrum s = x.scalar_type() == torch::kFloat32 ? spectrum_of<float>(points, w)
                                                          : spectrum_of<double>(points, w);
    context->save_for_backward({points, s.mean, s.values, s.axes});
    const Tensor normal = s.axes.select(2, 0).to(x.scalar_type());
    const Tensor values = s.values.to(x.scalar_type()), mean = s.mean.to(x.scalar_type());
    const Tensor axes = s.axes.to(x.scalar_type());
    context->mark_non_differentiable({values, mean, axes});
    return {normal, values, mean, axes};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &x = saved[0], &mean = saved[1], &values = saved[2], &axes = saved[3];
    const Tensor g = gradients[0].to(torch::kFloat64);            // [B, 3]
    const Tensor along = g.unsqueeze(1).matmul(axes).squeeze(1);  // [B, 3] g . v_j
    const Tensor floor = (values.select(1, 2) * kMinGap).clamp_min(1e-300).unsqueeze(1);
    const Tensor gaps = torch::maximum(values - values.narrow(1, 0, 1), floor);
    Tensor factor = -along / gaps;
    factor.select(1, 0).zero_();
    const Tensor side = axes.matmul(factor.unsqueeze(2)).squeeze(2);  // sum_j f_j v_j
    const Tensor normal = axes.select(2, 0);
    // d w_i: (n . y_i)(side . y_i), y = x - m; the part of C cancels since side is normal to C n.
    const Tensor y = x.to(torch::kFloat64) - mean.unsqueeze(1);
    const Tensor projected = y.matmul(torch::stack({normal, side}, 2));  // [B, K, 2]
    const Tensor slope = projected.select(2, 0) * projected.select(2, 1);
    return {Tensor(), slope.to(x.scalar_type())};
  }
};

}  // namespace

PlaneFit fit_plane(const Tensor& x, const Tensor& weights) {
  TORCH_CHECK(x.dim() == 3 && x.size(2) == 3 && weights.sizes() == x.sizes().slice(0, 2),
              "fit_plane: points [B, K, 3] and weights [B, K], not ", x.sizes(), " and ",
              weights.sizes());
  const variable_list parts = LeastAxis::apply(x, weights);
  return {parts[0], parts[1], parts[2], parts[3]};
}

}  // namespace equiframe::inline normals
