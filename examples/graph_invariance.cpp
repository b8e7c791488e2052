// A plain MLP on the adjacency matrix becomes a graph invariant: the same to the last bit for every
// relabelling, and still able to tell apart graphs that message passing cannot.
#include <cstdio>

#include <torch/torch.h>

#include "equiframe/equiframe.h"

using namespace equiframe;
namespace nn = torch::nn;

/// phi(vec(Y, A)): a network that sees the labels.
class AdjacencyMlp final : public Backbone {
 public:
  explicit AdjacencyMlp(int64_t n)
      : layers_(nn::Linear(n + n * n, 32), nn::ReLU(), nn::Linear(32, 4)) {
    register_module("layers", layers_);
  }
  Tensor forward(const Batch& graph) override {
    return layers_->forward(torch::cat({graph.x.flatten(1), graph.pair.flatten(1)}, 1));
  }

 private:
  nn::Sequential layers_;
};

/// A 2-regular graph on 6 nodes from each node's successor: x [1, 6, 1], pair [1, 6, 6, 1].
Batch ring_graph(const std::vector<int64_t>& next) {
  Batch graph(torch::ones({1, 6, 1}));
  graph.pair = torch::zeros({1, 6, 6, 1});
  for (size_t i = 0; i < 6; ++i) graph.pair[0][static_cast<int64_t>(i)][next[i]] = 1;
  graph.pair = graph.pair + graph.pair.transpose(1, 2);
  return graph;
}

int main() {
  torch::manual_seed(4);
  const torch::NoGradGuard no_gradients;
  const std::shared_ptr<Backbone> network = std::make_shared<AdjacencyMlp>(6);
  const auto model = make_equivariant(
      network, {.group = "S(6)", .in = "node", .out = "set", .frame = "canonical"});

  const Batch hexagon = ring_graph({1, 2, 3, 4, 5, 0});
  const Batch triangles = ring_graph({1, 2, 0, 4, 5, 3});
  auto generator = make_generator(5);
  const SymmetricGroup group(6);
  double plain = 0, averaged = 0;
  for (int i = 0; i < 50; ++i) {
    const Batch relabelled = group.act(group.type("node"), group.sample(1, generator), hexagon);
    const auto change = [&](Backbone& f) {
      return (f.forward(relabelled) - f.forward(hexagon)).abs().max().item<double>();
    };
    plain = std::max(plain, change(*network));
    averaged = std::max(averaged, change(*model));
  }
  const double apart = (model->forward(hexagon) - model->forward(triangles)).norm().item<double>();
  std::printf("50 relabellings: network alone %.1e, averaged %.1e\n", plain, averaged);
  std::printf("hexagon and two triangles are %.2f apart\n", apart);
  return averaged == 0 && plain > 0.01 && apart > 1e-3 ? 0 : 1;
}
