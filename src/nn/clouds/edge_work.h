// Edges as the kernels want them, cut into chunks of whole clouds.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "nn/clouds/edge_pool.h"
#include "nn/kernels/edge_pool.h"
#include "nn/layers/fused.h"

namespace equiframe::inline nn {

/// Passes over edges on all threads. A chunk is some clouds, and edges stay within a cloud, so no
/// two chunks write to the same row.
class EdgeWork {
 public:
  EdgeWork(Edges edges, std::vector<int64_t> first)
      : edges_(std::move(edges)), first_(std::move(first)) {
    for (Tensor* part : {&edges_.sender, &edges_.receiver, &edges_.neighbors, &edges_.weight})
      if (part->defined()) *part = part->contiguous();
    const auto clouds = static_cast<int64_t>(first_.size()) - 1;
    chunks_ = std::min(clouds, fused::chunk_count(edges_.neighbors.numel()));
  }

  const Edges& edges() const { return edges_; }
  int64_t chunks() const { return chunks_; }
  int64_t rows() const { return edges_.receiver.size(0); }
  int64_t degree() const { return edges_.neighbors.size(1); }
  int64_t hidden() const { return edges_.receiver.size(1); }
  int64_t width() const { return edges_.weight.defined() ? edges_.weight.size(0) : hidden(); }
  double count() const { return static_cast<double>(edges_.neighbors.numel()); }
  Tensor table() const { return torch::empty({rows(), width()}, options()); }
  at::TensorOptions options() const { return edges_.receiver.options().requires_grad(false); }

  /// f(T{}, chunk, first row, shape, input) on all threads.
  template <class F>
  void run(const F& f) const {
    fused::for_type(edges_.receiver, "edge_pool", [&](auto zero) {
      using T = decltype(zero);
      const auto clouds = static_cast<int64_t>(first_.size()) - 1;
      fused::for_chunks(clouds, chunks_, [&](int64_t chunk, int64_t begin, int64_t clouds_here) {
        const int64_t from = first_[static_cast<size_t>(begin)];
        const int64_t to = first_[static_cast<size_t>(begin + clouds_here)];
        const kernels::EdgeShape shape{to - from, degree(), hidden(), width()};
        const kernels::EdgeInput<T> input{
            edges_.sender.data_ptr<T>(), edges_.receiver.data_ptr<T>() + from * hidden(),
            edges_.neighbors.data_ptr<int64_t>() + from * degree(),
            edges_.weight.defined() ? edges_.weight.data_ptr<T>() : nullptr,
            static_cast<T>(slope::kLeaky)};
        f(zero, chunk, from, shape, input);
      });
    });
  }

  /// v of the first edge.
  Tensor pivot() const {
    const Tensor j = edges_.neighbors[0][0];
    const Tensor sum = edges_.sender.index_select(0, j.view({1}))[0] + edges_.receiver[0];
    if (!edges_.weight.defined()) return sum.contiguous();
    return edges_.weight.mv(torch::leaky_relu(sum, slope::kLeaky));
  }

  RowNorm::Statistics measure() const {
    const Tensor from = pivot();
    const Tensor sums = torch::zeros({chunks_, 2, width()}, torch::kFloat64);
    run([&](auto zero, int64_t chunk, int64_t, const auto& shape, const auto& input) {
      using T = decltype(zero);
      double* sum = sums.data_ptr<double>() + chunk * 2 * width();
      kernels::edge_sums<T>(shape, input, from.data_ptr<T>(), sum, sum + width());
    });
    const Tensor total = fused::sum_chunks(sums) / count();
    return {total[0] + from, (total[1] - total[0].square()).clamp_min(0)};
  }

  /// Gradients of P, Q and W of dv = offset + slant v + local...; see kernels::EdgeGradients.
  struct Slopes {
    Tensor offset, slant;  // [C]
    Tensor local, place;   // [R, C], may be undefined
    Tensor scale, shift;   // [C], of the means
    double slope = 0;
  };
  std::vector<Tensor> backward(const Slopes& s) const {
    const Tensor d_sender = torch::zeros_like(edges_.sender);
    const Tensor d_receiver = torch::empty_like(edges_.receiver);
    const bool weighted = edges_.weight.defined();
    const Tensor d_weight = weighted ? fused::chunked_zeros(chunks_, edges_.weight) : Tensor();
    run([&](auto zero, int64_t chunk, int64_t from, const auto& shape, const auto& input) {
      using T = decltype(zero);
      const auto at = [](const Tensor& tensor, int64_t offset = 0) -> T* {
        return tensor.defined() ? tensor.data_ptr<T>() + offset : nullptr;
      };
      kernels::edge_backward<T>(shape, input,
                                {at(s.offset),
                                 at(s.slant),
                                 at(s.local, from * width()),
                                 at(s.place, from * width()),
                                 {at(s.scale), at(s.shift), static_cast<T>(s.slope)},
                                 at(d_sender),
                                 at(d_receiver, from * hidden()),
                                 weighted ? at(d_weight, chunk * edges_.weight.numel()) : nullptr});
    });
    return {d_sender, d_receiver, weighted ? fused::sum_chunks(d_weight) : Tensor()};
  }

 private:
  Edges edges_;
  std::vector<int64_t> first_;
  int64_t chunks_ = 1;
};

}  // namespace equiframe::inline nn
