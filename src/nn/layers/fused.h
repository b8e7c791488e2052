// How the fused kernels meet LibTorch: work in fixed chunks, so that sums, and so results, do not
// depend on the number of threads.
#pragma once

#include <algorithm>

#include <torch/types.h>

#include "core/parallel.h"
#include "equiframe/core/tensor.h"

namespace equiframe::fused {

/// The chunks that `rows` rows of work are cut into.
inline int64_t chunk_count(int64_t rows) {
  constexpr int64_t kRowsWorthAThread = 8000;
  constexpr int64_t kMax = 8;
  return std::clamp<int64_t>(rows / kRowsWorthAThread, 1, kMax);
}

/// f(chunk, first, count) for each chunk of `items` items, on as many threads as LibTorch has.
template <class F>
void for_chunks(int64_t items, int64_t chunks, const F& f) {
  for_each_part(chunks, [&](int64_t chunk) {
    const int64_t first = items * chunk / chunks;
    f(chunk, first, items * (chunk + 1) / chunks - first);
  });
}

/// f(T{}) for the scalar type of `like`, float or double.
template <class F>
void for_type(const Tensor& like, const char* who, const F& f) {
  if (like.scalar_type() == at::kFloat) return f(float{});
  if (like.scalar_type() == at::kDouble) return f(double{});
  TORCH_CHECK(false, who, " is made for float32 and float64, got ", like.scalar_type());
}

/// Zeroed gradients of a parameter, one for each chunk, [chunks, ...].
inline Tensor chunked_zeros(int64_t chunks, const Tensor& parameter) {
  auto shape = parameter.sizes().vec();
  shape.insert(shape.begin(), chunks);
  return torch::zeros(shape, parameter.options().requires_grad(false));
}

inline Tensor sum_chunks(const Tensor& gradients) {
  return gradients.size(0) == 1 ? gradients[0] : gradients.sum(0);
}

/// To be called by the backward pass of a fused kernel, which cannot be differentiated again: a
/// gradient that asks for it must fail and not be silently wrong.
inline void refuse_second_derivative(const char* who, const char* instead = "") {
  TORCH_CHECK(!at::GradMode::is_enabled(), who, " has first derivatives only", instead);
}
inline constexpr const char* kUsePlain = "; use its `plain` form to differentiate again";

}  // namespace equiframe::fused
