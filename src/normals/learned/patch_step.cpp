#include "normals/learned/patch_step.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "nn/layers/fused.h"
#include "normals/learned/patch_weights.h"

namespace equiframe::inline normals {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kPatchStep = "fa-patch";

/// Chunks do not depend on the threads, and so neither do the sums over them.
int64_t chunk_count(int64_t patches) {
  constexpr int64_t kPatchesWorthAThread = 32, kMax = 8;
  return std::clamp<int64_t>(patches / kPatchesWorthAThread, 1, kMax);
}

template <class T>
kernels::PatchSample<T> sample_of(const Tensor& x, const Tensor& clouds, const Tensor& flips,
                                  int64_t first, int64_t count) {
  return {count, x.size(1), x.data_ptr<T>() + first * x.size(1) * 3,
          flips.data_ptr<uint8_t>() + first * flips.size(1),
          clouds.data_ptr<T>() + first * clouds.size(1)};
}

class PatchStep final : public torch::autograd::Function<PatchStep> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& clouds,
                        const Tensor& flips, at::TensorList parameters) {
    const Tensor normals = torch::empty({x.size(0), 3}, x.options());
    fused::for_type(x, kPatchStep, [&](auto zero) {
      using T = decltype(zero);
      const auto network = patch_network<T>(parameters.vec());
      fused::for_chunks(
          x.size(0), chunk_count(x.size(0)), [&](int64_t, int64_t first, int64_t count) {
            kernels::patch_forward(network, sample_of<T>(x, clouds, flips, first, count),
                                   normals.data_ptr<T>() + 3 * first);
          });
    });
    variable_list saved{x, clouds, flips};
    saved.insert(saved.end(), parameters.begin(), parameters.end());
    context->save_for_backward(std::move(saved));
    return normals;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    fused::refuse_second_derivative(kPatchStep);
    const variable_list saved = context->get_saved_variables();
    const Tensor &x = saved[0], &clouds = saved[1], &flips = saved[2];
    const Tensor d_normals = gradients[0].contiguous();
    const variable_list parameters{saved.begin() + 3, saved.end()};
    const int64_t chunks = chunk_count(x.size(0));
    variable_list sums;
    for (const Tensor& p : parameters) sums.push_back(fused::chunked_zeros(chunks, p));
    fused::for_type(x, kPatchStep, [&](auto zero) {
      using T = decltype(zero);
      const auto network = patch_network<T>(parameters);
      fused::for_chunks(x.size(0), chunks, [&](int64_t chunk, int64_t first, int64_t count) {
        kernels::patch_backward(network, sample_of<T>(x, clouds, flips, first, count),
                                d_normals.data_ptr<T>() + 3 * first,
                                patch_gradients<T>(sums, chunk));
      });
    });
    variable_list result(3);
    for (const Tensor& sum : sums) result.push_back(fused::sum_chunks(sum));
    return result;
  }
};

}  // namespace

Tensor patch_step(const Tensor& x, const Tensor& clouds, const Tensor& flips,
                  const std::vector<Tensor>& parameters) {
  return PatchStep::apply(x, clouds, flips, at::TensorList(parameters));
}

}  // namespace equiframe::inline normals
