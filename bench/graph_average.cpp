/// One canonical order of the nodes against the exact average over the cosets of the Laplacian
/// frame, for the four graphs of GRAPH8c that have 2,520 of them.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "bench.h"
#include "datasets/graphs/graph_sets.h"
#include "equiframe/averaging/average.h"
#include "equiframe/frames/frame.h"
#include "equiframe/groups/symmetric.h"
#include "equiframe/models/model.h"
#include "experiments/separation/graph_info.h"
#include "io/graphs/graph_batch.h"

namespace {

using namespace equiframe;
using GraphFrame = FrameSet<SymmetricGroup>;

constexpr auto kNode = PermutationType::Kind::kNode, kSet = PermutationType::Kind::kSet;

/// The graphs of eight nodes with this many cosets in the Laplacian frame.
std::vector<SimpleGraph> graphs_with_cosets(int64_t cosets) {
  const std::vector<SimpleGraph> all = connected_graphs(8);
  const std::vector<experiments::GraphInfo> infos = experiments::graph_info(all);
  std::vector<SimpleGraph> found;
  for (size_t k = 0; k < all.size(); ++k)
    for (const experiments::FrameSize& size : infos[k].frames)
      if (size.frame == "laplacian" &&
          std::llround(std::exp(infos[k].log_frame_cosets(size))) == cosets)
        found.push_back(all[k]);
  return found;
}

/// One element of each class of elements that frame a graph alike (Theorem 3). All classes are
/// equally large, so equal weights give the average over F(X).
GraphFrame one_of_each_coset(const SymmetricGroup& group, const GraphFrame& frame, const Batch& x) {
  std::vector<Tensor> elements;
  for (int64_t b = 0; b < x.size(); ++b) {
    const Tensor listed = frame.elements[b];  // [K, N]
    const Tensor adjacency = x.pair[b].expand({frame.size(), -1, -1, -1});
    const Tensor framed =
        group.act_inverse(PermutationType::Kind::kPair, listed, adjacency).flatten(1).contiguous();
    std::map<std::vector<float>, int64_t> first;
    const float* row = framed.data_ptr<float>();
    for (int64_t k = 0; k < frame.size(); ++k, row += framed.size(1))
      first.emplace(std::vector<float>(row, row + framed.size(1)), k);
    std::vector<int64_t> places;
    places.reserve(first.size());
    for (const auto& [graph, place] : first) places.push_back(place);
    elements.push_back(listed.index_select(0, torch::tensor(places, torch::kLong)));
  }
  GraphFrame cosets;
  cosets.elements = torch::stack(elements);
  cosets.weights = uniform_weights(x.size(), cosets.elements.size(1));
  return cosets;
}

/// The network `graph-mlp` in plain calls, to be averaged over any frame.
struct GraphMlp {
  std::vector<Tensor> head, layer1, layer2;  // weight, bias

  explicit GraphMlp(const torch::nn::Module& model) {
    const auto of = [parameters = model.named_parameters()](const std::string& layer) {
      return std::vector<Tensor>{parameters[layer + ".weight"], parameters[layer + ".bias"]};
    };
    head = of("head"), layer1 = of("layer1"), layer2 = of("layer2");
  }
  static Tensor apply(const std::vector<Tensor>& layer, const Tensor& x) {
    return torch::linear(x, layer[0], layer[1]).tanh();
  }
  Tensor averaged(const SymmetricGroup& group, const GraphFrame& frame, const Batch& x) const {
    const auto features = [this](const Batch& ordered) {
      return apply(layer2, apply(layer1, ordered.pair.flatten(1)));
    };
    return apply(head, equivariant_average(Symmetry<SymmetricGroup>{group, kNode, kSet}, frame,
                                           features, x));
  }
};

/// A graph that comes alone: calls of LibTorch cost more than the order.
double ratio_for_one(Model& model, const GraphMlp& plain, const GraphFrame& cosets,
                     const Batch& x) {
  const auto first = [](const Tensor& part) { return part.narrow(0, 0, 1); };
  const Batch one = x.map(first);
  const SymmetricGroup group(x.nodes());
  GraphFrame its;
  its.elements = first(cosets.elements);
  its.weights = first(cosets.weights);
  const bench::Row row = bench::speedup(
      "", 1, [&] { model.forward(one); }, [&] { plain.averaged(group, its, one); });
  return row.ratio();
}

/// The reference is handed its cosets and only evaluates.
bench::Row average_row() {
  const torch::NoGradGuard guard;
  constexpr int64_t kCosets = 2520, kGraphs = 4;
  const Batch x = graph_batch(graphs_with_cosets(kCosets));
  const SymmetricGroup group(x.nodes());
  const std::shared_ptr<Model> model = make_model("graph-mlp");
  const GraphMlp plain(*model);
  const auto canonical = make_frame("canonical", group, PermutationType(kNode));
  const auto laplacian = make_frame("laplacian(max_elements=40320)", group, PermutationType(kNode));
  TORCH_CHECK(torch::allclose(model->forward(x), plain.averaged(group, (*canonical)(x), x)));
  const GraphFrame cosets = one_of_each_coset(group, (*laplacian)(x), x);
  TORCH_CHECK(cosets.size() == kCosets && cosets.batch() == kGraphs, "the Laplacian frame of ",
              cosets.batch(), " graphs has ", cosets.size(), " cosets");
  const auto whole = [&] { return plain.averaged(group, (*laplacian)(x), x); };
  TORCH_CHECK(torch::allclose(whole(), plain.averaged(group, cosets, x), 1e-4, 1e-5));
  bench::Row row = bench::speedup(
      "one order against 2520 cosets, 4 graphs", 100, [&] { model->forward(x); },
      [&] { plain.averaged(group, cosets, x); });
  row.facts["elements_of_the_frame"] = static_cast<double>((*laplacian)(x).size());
  row.facts["ratio_over_all_elements"] =
      bench::least_of(3, &bench::seconds, [&] { whole(); }) / row.ours;
  row.facts["ratio_for_one_graph"] = ratio_for_one(*model, plain, cosets, x);
  return row;
}

const bool kGraphAverageRegistered = bench::add("graphs", average_row);

}  // namespace
