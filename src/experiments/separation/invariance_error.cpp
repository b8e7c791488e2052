#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "core/parallel.h"
#include "equiframe/averaging/theorems.h"
#include "experiments/separation/framed_inputs.h"
#include "experiments/separation/graph_figures.h"

namespace equiframe::inline experiments {
namespace {

/// n^2 -> 128 -> 128 -> 128 -> 10, tanh after each layer; weights and biases are drawn as LibTorch
/// does for a linear layer, uniformly within 1 / sqrt(inputs).
class Backbone {
 public:
  Backbone(int64_t inputs, uint64_t seed) {
    auto generator = make_generator(seed);
    for (const int64_t width : {128, 128, 128, 10}) {
      const double bound = 1 / std::sqrt(static_cast<double>(inputs));
      const auto draw = [&](at::IntArrayRef shape) {
        return torch::rand(shape, generator, torch::kFloat32) * (2 * bound) - bound;
      };
      const Tensor weight = draw({inputs, width}), bias = draw({width});
      layers_.push_back({weight, bias});
      inputs = width;
    }
  }

  /// [rows, n^2] -> [rows, 10] float64
  Tensor operator()(const Tensor& x) const {
    constexpr int64_t kRows = 200;  // whose activations stay in the cache
    std::vector<Tensor> parts = x.split(kRows);
    for (Tensor& h : parts)
      for (const auto& [weight, bias] : layers_) h = torch::addmm(bias, h, weight).tanh_();
    return torch::cat(parts).to(torch::kFloat64);
  }

 private:
  std::vector<std::pair<Tensor, Tensor>> layers_;
};

/// Of the averages over the first k draws, for each k in `draws` [D]: [D]. The network's outputs
/// are y [U, d], those of the draws the rows `drawn` [m, K].
Tensor errors_of_prefixes(const Tensor& y, const Tensor& drawn, const Tensor& draws) {
  const Tensor all = y.index_select(0, drawn.flatten()).view({drawn.size(0), drawn.size(1), -1});
  const Tensor means = all.cumsum(1).index_select(1, draws - 1) / draws.view({1, -1, 1});
  return (means - means.mean(0, /*keepdim=*/true)).norm(2, -1).mean(0);
}

/// [1 + 1 + D + D]: plain, exact, FA, GA; mean over the networks.
Tensor errors_of(const FramedInputs& inputs, const std::vector<Backbone>& networks,
                 const Tensor& draws) {
  const Tensor one = torch::ones({1}, torch::kLong);
  Tensor sum = torch::zeros({2 + 2 * draws.size(0)}, torch::kFloat64);
  for (const Backbone& network : networks) {
    const Tensor y = network(inputs.matrices);
    sum += torch::cat(
        {errors_of_prefixes(y, inputs.plain, one), errors_of_prefixes(y, inputs.exact, one),
         errors_of_prefixes(y, inputs.frame, draws), errors_of_prefixes(y, inputs.group, draws)});
  }
  return sum / static_cast<double>(networks.size());
}

/// How draws from one F(X) fall on its classes: two are of one class g Aut(X) if and only if they
/// frame the graph alike, so a class is named by a row of the inputs.
class ClassCounts {
 public:
  explicit ClassCounts(int64_t classes) : counts_(static_cast<size_t>(classes)) {}

  void add(int64_t row) {
    const auto found = std::find(rows_.begin(), rows_.end(), row);
    const auto place = static_cast<size_t>(found - rows_.begin());
    if (found == rows_.end()) rows_.push_back(row);
    TORCH_CHECK(place < counts_.size(),
                "draws fall into more classes than |F| / |Aut| = ", counts_.size());
    ++counts_[place];
  }
  const std::vector<int64_t>& counts() const { return counts_; }

 private:
  std::vector<int64_t> rows_;    // that were met, in order
  std::vector<int64_t> counts_;  // of those, then zeros: [classes]
};

/// [3 D + 1]: sup-error, log probability, log bound, means over the relabellings; how many
/// distributions are less probable than their bound.
Tensor distributions_of(const FramedInputs& inputs, const std::vector<int64_t>& draws) {
  const auto sizes = static_cast<int64_t>(draws.size()), m = inputs.frame.size(0);
  const int64_t classes = std::max<int64_t>(1, std::llround(std::exp(inputs.log_frame_cosets)));
  const Tensor result = torch::zeros({3 * sizes + 1}, torch::kFloat64);
  auto* out = result.data_ptr<double>();
  const auto rows = inputs.frame.accessor<int64_t, 2>();
  for (int64_t i = 0; i < m; ++i) {
    ClassCounts drawn(classes);
    for (int64_t s = 0, k = 0; s < sizes; ++s) {
      for (; k < draws[s]; ++k) drawn.add(rows[i][k]);
      const double epsilon = sampling_sup_error(drawn.counts());
      const double probability = log_multinomial_probability(drawn.counts());
      const double bound = log_sampling_bound(classes, k, epsilon);
      out[s] += epsilon / static_cast<double>(m);
      out[sizes + s] += probability / static_cast<double>(m);
      out[2 * sizes + s] += bound / static_cast<double>(m);
      if (probability < bound - 1e-9) out[3 * sizes] += 1;
    }
  }
  return result;
}

void check(const std::vector<SimpleGraph>& graphs, const InvarianceOptions& options) {
  TORCH_CHECK(!graphs.empty(), "no graphs to measure");
  for (const SimpleGraph& graph : graphs)
    TORCH_CHECK(graph.nodes == graphs[0].nodes, "graphs of ", graphs[0].nodes, " and ", graph.nodes,
                " nodes");
  TORCH_CHECK(!options.draws.empty() && options.draws.front() > 0 &&
                  std::is_sorted(options.draws.begin(), options.draws.end()),
              "draws must be positive and ascending");
  TORCH_CHECK(options.relabellings > 0 && options.networks > 0 && options.stride > 0,
              "relabellings, networks and stride must be positive");
}

std::vector<Backbone> random_networks(int64_t inputs, const InvarianceOptions& options) {
  std::vector<Backbone> networks;
  networks.reserve(static_cast<size_t>(options.networks));
  for (int64_t k = 0; k < options.networks; ++k)
    networks.emplace_back(inputs, options.seed + static_cast<uint64_t>(k));
  return networks;
}

/// From rows of each graph as `errors_of` and `distributions_of` make them, and m_F, m_G.
InvarianceErrors collected(const Tensor& errors, const Tensor& drawn, const Tensor& cosets,
                           const InvarianceOptions& options) {
  const auto sizes = static_cast<int64_t>(options.draws.size());
  const Tensor e = errors.t().contiguous(), d = drawn.t().contiguous(), m = cosets.t().round();
  return {options.draws,
          options.relabellings,
          options.networks,
          e[0],
          e[1],
          e.narrow(0, 2, sizes),
          e.narrow(0, 2 + sizes, sizes),
          m[0],
          m[1],
          {d.narrow(0, 0, sizes), d.narrow(0, sizes, sizes), d.narrow(0, 2 * sizes, sizes),
           errors.size(0) * options.relabellings * sizes, d[3 * sizes].sum().item<int64_t>()}};
}

}  // namespace

InvarianceErrors invariance_errors(const std::vector<SimpleGraph>& graphs,
                                   const InvarianceOptions& options) {
  constexpr int64_t kTogether = 64;  // between two words to `progress`
  check(graphs, options);
  const int64_t nodes = graphs[0].nodes, sizes = static_cast<int64_t>(options.draws.size());
  const int64_t count = (static_cast<int64_t>(graphs.size()) - 1) / options.stride + 1;
  const InputMaker make_inputs(nodes, options.frame, options.draws.back());
  const std::vector<Backbone> networks = random_networks(nodes * nodes, options);
  const Tensor draws = torch::tensor(options.draws, torch::kLong);
  const Tensor errors = torch::empty({count, 2 + 2 * sizes}, torch::kFloat64);
  const Tensor drawn = torch::empty({count, 3 * sizes + 1}, torch::kFloat64);
  const Tensor cosets = torch::empty({count, 2}, torch::kFloat64);
  for (int64_t start = 0; start < count; start += kTogether) {
    for_each_item(std::min(kTogether, count - start), 1, [&](int64_t k) {
      const int64_t row = start + k, graph = row * options.stride;
      const FramedInputs inputs = make_inputs(graphs[graph], options.relabellings, options.seed,
                                              static_cast<uint64_t>(graph));
      errors[row].copy_(errors_of(inputs, networks, draws));
      drawn[row].copy_(distributions_of(inputs, options.draws));
      cosets[row][0] = std::exp(inputs.log_frame_cosets);
      cosets[row][1] = std::exp(inputs.log_group_cosets);
    });
    if (options.progress)
      options.progress(static_cast<double>(std::min(start + kTogether, count)) /
                       static_cast<double>(count));
  }
  return collected(errors, drawn, cosets, options);
}

}  // namespace equiframe::inline experiments
