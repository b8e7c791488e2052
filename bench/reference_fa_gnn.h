/// The paper's FA-GNN for n-body in ordinary LibTorch operations, written as its equations read:
/// frames by linalg_eigh, rows concatenated along edges, sums by index_add. What the fused model is
/// measured against, and compared with to rounding.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "equiframe/core/tensor.h"

namespace equiframe::bench {

class ReferenceFaGnn final : public torch::nn::Module {
 public:
  explicit ReferenceFaGnn(int64_t width = 60, int64_t layers = 4) : width_(width) {
    embedding_ = register_module("embedding", torch::nn::Linear(6, width));
    for (int64_t k = 0; k < layers; ++k) {
      const auto add = [&](const char* name, int64_t in) {
        return register_module(name + std::to_string(k), torch::nn::Linear(in, width));
      };
      layers_.push_back({add("edge1_", 2 * width + 2), add("edge2_", width),
                         add("node1_", 2 * width), add("node2_", width)});
    }
    decoder1_ = register_module("decoder1", torch::nn::Linear(width, width));
    decoder2_ = register_module("decoder2", torch::nn::Linear(width, 3));
  }

  /// x [B, N, 7] -> [B, N, 3]
  Tensor forward(const Tensor& x) {
    const int64_t batch = x.size(0), nodes = x.size(1);
    const Tensor position = x.narrow(2, 0, 3), velocity = x.narrow(2, 3, 3);
    const auto [row, col] = edges(batch, nodes);
    const auto [all_row, all_col] = edges(kFrames * batch, nodes);
    const Tensor flat = position.flatten(0, 1), charge = x.narrow(2, 6, 1).flatten(0, 1);
    const Tensor apart = flat.index_select(0, row) - flat.index_select(0, col);
    const Tensor edge = torch::cat({charge.index_select(0, row) * charge.index_select(0, col),
                                    apart.square().sum(1, true)},
                                   1)
                            .repeat({kFrames, 1});
    const Tensor centre = position.mean(1, true);
    Tensor axes = signed_axes(position - centre);  // [8, B, 3, 3]
    const Tensor framed_position = (position - centre).unsqueeze(0).matmul(axes);
    const Tensor framed_velocity = velocity.unsqueeze(0).matmul(axes);
    Tensor h = embedding_->forward(torch::cat({framed_position, framed_velocity}, -1))
                   .view({kFrames * batch * nodes, width_});
    for (size_t k = 0; k < layers_.size(); ++k) {
      h = message_passing(layers_[k], h, all_row, all_col, edge);
      if (k + 1 == layers_.size()) break;
      const Tensor vectors = h.view({kFrames, batch, nodes * width_ / 3, 3});
      const Tensor latent = vectors.matmul(axes.transpose(-1, -2)).mean(0);  // [B, N w/3, 3]
      const Tensor centred = latent - latent.mean(1, true);
      axes = signed_axes(centred);
      h = centred.unsqueeze(0).matmul(axes).reshape({kFrames * batch * nodes, width_});
    }
    const Tensor out = decoder2_->forward(torch::silu(decoder1_->forward(h)));
    return out.view({kFrames, batch, nodes, 3}).matmul(axes.transpose(-1, -2)).mean(0) + centre;
  }

 private:
  static constexpr int64_t kFrames = 8;
  struct Layer {
    torch::nn::Linear edge1, edge2, node1, node2;
  };

  static std::pair<Tensor, Tensor> edges(int64_t batch, int64_t nodes) {
    const Tensor index = torch::arange(nodes, torch::kLong);
    const Tensor row = index.unsqueeze(1).expand({nodes, nodes});
    const Tensor off_diagonal = row != row.t();
    const Tensor offset = torch::arange(batch, torch::kLong).unsqueeze(1) * nodes;
    return {(row.masked_select(off_diagonal) + offset).flatten(),
            (row.t().masked_select(off_diagonal) + offset).flatten()};
  }

  /// The principal axes of points [B, M, 3] with all signs, [8, B, 3, 3], without gradient.
  static Tensor signed_axes(const Tensor& centred) {
    const Tensor points = centred.detach();
    const Tensor covariance = points.transpose(1, 2).matmul(points);
    const Tensor axes = std::get<1>(torch::linalg_eigh(covariance));
    const Tensor bits = torch::arange(kFrames, torch::kLong);
    const Tensor signs =
        torch::stack({bits & 1, (bits & 2) / 2, (bits & 4) / 4}, 1).to(axes.dtype());
    return (1 - 2 * signs).view({kFrames, 1, 1, 3}) * axes.unsqueeze(0);
  }

  static Tensor message_passing(Layer& layer, const Tensor& h, const Tensor& row, const Tensor& col,
                                const Tensor& edge) {
    const Tensor rows = torch::cat({h.index_select(0, row), h.index_select(0, col), edge}, 1);
    const Tensor messages =
        torch::silu(layer.edge2->forward(torch::silu(layer.edge1->forward(rows))));
    const Tensor sum = torch::zeros_like(h).index_add(0, row, messages);
    return h + layer.node2->forward(torch::silu(layer.node1->forward(torch::cat({h, sum}, 1))));
  }

  int64_t width_;
  torch::nn::Linear embedding_{nullptr}, decoder1_{nullptr}, decoder2_{nullptr};
  std::vector<Layer> layers_;
};

}  // namespace equiframe::bench
