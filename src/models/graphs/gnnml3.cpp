#include <cmath>

#include <torch/types.h>

#include "models/graphs/graph_model.h"
#include "models/graphs/graph_spectra.h"

namespace equiframe::inline models {
namespace {

/// Message passing along the edges with spectral weights: support s of a graph is
/// (A + I > 0) * U diag(exp(-2 (lambda - f_s)^2)) U^T for five centres f_s between its least and
/// largest eigenvalue, and the identity is the sixth. Each layer mixes an edge's six numbers anew.
class Gnnml3 final : public GraphModel {
 public:
  explicit Gnnml3(const Options& options) : GraphModel(options) {
    for (int64_t k = 0; k < kLayers; ++k) {
      const int64_t in = k == 0 ? inputs() : kWidth;
      const std::string number = std::to_string(k + 1);
      const auto edge = [&](const char* name, int64_t from, int64_t to) {
        return register_module(name + number,
                               torch::nn::Linear(torch::nn::LinearOptions(from, to).bias(false)));
      };
      const auto node = [&](const char* name) {
        return register_module(name + number, torch::nn::Linear(in, kProduct));
      };
      layer_.push_back({edge("edge_relu", kSupports, 2 * kSupports),
                        edge("edge_left", kSupports, 2 * kSupports),
                        edge("edge_right", kSupports, 2 * kSupports),
                        edge("edge_mix", 4 * kSupports, kSupports), node("left"), node("right"),
                        register_parameter("weight" + number, glorot({kSupports, in, kMessage})),
                        register_parameter("bias" + number, torch::zeros({kMessage}))});
    }
    add_head(kWidth);
  }

  /// Adds the supports.
  Batch prepare(const Batch& batch) const override {
    return add_pair_channels(batch, kSupports, supports);
  }

 private:
  static constexpr int64_t kLayers = 3, kSupports = 6, kCentres = kSupports - 1;
  static constexpr int64_t kMessage = 32, kProduct = 16, kWidth = kMessage + kProduct;
  struct Layer {
    torch::nn::Linear edge_relu, edge_left, edge_right, edge_mix, left, right;
    Tensor weight, bias;
  };

  static void supports(const DenseGraph& graph, std::vector<double>& channels) {
    const int64_t n = graph.nodes();
    if (n == 0) return;
    const Eigen eigen = symmetric_eigen(n, graph.laplacian);
    const double least = std::max(0.0, eigen.values.front()), most = eigen.values.back();
    for (int64_t s = 0; s < kCentres; ++s) {
      const double centre = least + (most - least) * static_cast<double>(s) / (kCentres - 1);
      for (int64_t k = 0; k < n; ++k) {
        const double from = std::max(0.0, eigen.values[k]) - centre;
        const double weight = std::exp(-2 * from * from);
        const double* u = eigen.vectors.data() + k * n;
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j)
            if (i == j || graph.adjacency[i * n + j] > 0)
              channels[(s * n + i) * n + j] += weight * u[i] * u[j];
      }
    }
    for (int64_t i = 0; i < n; ++i) channels[(kCentres * n + i) * n + i] = 1;
  }

  int64_t prepared_channels() const override { return 1 + kSupports; }

  Tensor embed(const Batch& batch) override {
    const Tensor supports = batch.pair.narrow(-1, 1, kSupports);
    const Tensor where = supports.ne(0).any(-1).nonzero();  // [edges, 3]: of A + I
    const c10::List<c10::optional<Tensor>> edges{where.select(1, 0), where.select(1, 1),
                                                 where.select(1, 2)};
    const Tensor c = at::index(supports, edges);  // [edges, 6]
    Tensor h = batch.x;
    for (Layer& layer : layer_) {
      const Tensor product =
          torch::tanh(layer.edge_left->forward(c)) * torch::tanh(layer.edge_right->forward(c));
      const Tensor along = torch::relu(layer.edge_mix->forward(
          torch::cat({torch::relu(layer.edge_relu->forward(c)), product}, -1)));
      const Tensor mixed = at::index_put(torch::zeros_like(supports), edges, along);
      Tensor sum;
      for (int64_t s = 0; s < kSupports; ++s) {
        const Tensor part = torch::bmm(mixed.select(-1, s), h.matmul(layer.weight[s]));
        sum = s == 0 ? part : sum + part;
      }
      h = torch::cat({torch::relu(sum + layer.bias),
                      torch::tanh(layer.left->forward(h)) * torch::tanh(layer.right->forward(h))},
                     -1);
    }
    return pool(h, batch);
  }

  std::vector<Layer> layer_;
};

const bool kGnnml3Registered = Models::instance().add(
    "gnnml3", "message passing with learned functions of spectral edge weights",
    [](const Options& options) { return std::make_unique<Gnnml3>(options); });

}  // namespace
}  // namespace equiframe::inline models
