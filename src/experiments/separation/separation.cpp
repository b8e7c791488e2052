#include "experiments/separation/separation.h"

#include <algorithm>
#include <map>

#include <torch/types.h>

#include "core/default_generator.h"
#include "core/parallel.h"
#include "equiframe/core/rng.h"
#include "io/graphs/graph_batch.h"
#include "models/graphs/graph_model.h"

namespace equiframe::inline experiments {
namespace {

/// Graphs in batches of similar size, each prepared for one network, and their places in the list.
struct Prepared {
  std::vector<Batch> batches;
  Tensor places;  // [rows]: where row k of all batches in turn belongs
};

Prepared prepare(const GraphModel& model, const std::vector<SimpleGraph>& graphs, int64_t pairs) {
  std::vector<int64_t> order;
  Prepared prepared;
  for (const std::vector<int64_t>& places : batches_by_size(graphs, pairs)) {
    prepared.batches.push_back(model.prepare(graph_batch(pick(graphs, places))));
    order.insert(order.end(), places.begin(), places.end());
  }
  prepared.places = torch::tensor(order, torch::kLong);
  return prepared;
}

/// The `wanted` [graphs] of them only; all that there are while most of them are wanted.
Prepared reduced(const Prepared& all, const Tensor& wanted) {
  if (all.batches.empty()) return all;
  const Tensor kept = wanted.index_select(0, all.places);  // [rows]
  if (2 * kept.sum().item<int64_t>() > kept.size(0)) return all;
  Prepared some;
  int64_t start = 0;
  for (const Batch& batch : all.batches) {
    const Tensor rows = kept.narrow(0, start, batch.size()).nonzero().squeeze(1);
    start += batch.size();
    if (rows.size(0) == 0) continue;
    some.batches.push_back(
        batch.map([&](const Tensor& part) { return part.index_select(0, rows); }));
  }
  some.places = all.places.masked_select(kept);
  return some;
}

/// [graphs, d] in the order of the list, zero for those left out; batches are small, so threads
/// take one each.
Tensor embed(GraphModel& model, const Prepared& prepared, int64_t graphs) {
  std::vector<Tensor> rows(prepared.batches.size());
  for_each_item(static_cast<int64_t>(rows.size()), /*together=*/1, [&](int64_t k) {
    const torch::NoGradGuard guard;  // holds for its own thread
    rows[k] = model.forward(prepared.batches[k]);
  });
  const Tensor all = torch::cat(rows);
  return torch::zeros({graphs, all.size(1)}, all.options()).index_copy_(0, prepared.places, all);
}

std::vector<SimpleGraph> relabelled(const std::vector<SimpleGraph>& graphs) {
  std::vector<SimpleGraph> moved;
  auto generator = make_generator(1);
  for (const SimpleGraph& graph : graphs) {
    const Tensor order = torch::randperm(graph.nodes, generator, torch::kLong);
    const auto* first = order.data_ptr<int64_t>();
    moved.push_back(relabel(graph, {first, first + graph.nodes}));
  }
  return moved;
}

std::unique_ptr<GraphModel> random_network(const std::string& call, uint64_t seed) {
  seed_default_generator(seed);
  std::unique_ptr<Model> model = make_model(call);
  TORCH_CHECK(dynamic_cast<GraphModel*>(model.get()) != nullptr, "'", call,
              "' is not a network on graphs");
  model->eval();
  std::unique_ptr<GraphModel> network(static_cast<GraphModel*>(model.release()));
  network->set_evaluation_draws(seed);
  return network;
}

std::vector<IndexPair> neighbours(int64_t graphs) {
  std::vector<IndexPair> pairs;
  for (int32_t k = 0; k + 1 < graphs; k += 2) pairs.push_back({k, k + 1});
  return pairs;
}

/// The graphs that are in one of the pairs, [graphs] of bool.
Tensor members(const std::vector<IndexPair>& pairs, int64_t graphs) {
  const Tensor inside = torch::zeros({graphs}, torch::kBool);
  bool* of = inside.data_ptr<bool>();
  for (const auto& [a, b] : pairs) of[a] = of[b] = true;
  return inside;
}

}  // namespace

Separation separation(const std::string& call, const std::vector<SimpleGraph>& graphs,
                      Pairing pairing, const SeparationOptions& options) {
  const torch::NoGradGuard guard;
  const auto count = static_cast<int64_t>(graphs.size());
  Separation result;
  result.graphs = count;
  result.pairs = pairing == Pairing::kAll ? count * (count - 1) / 2 : count / 2;
  const auto first = random_network(call, options.first_seed);
  Prepared originals = prepare(*first, graphs, options.batch_pairs), copies;
  if (options.false_seeds > 0) copies = prepare(*first, relabelled(graphs), options.batch_pairs);
  std::vector<IndexPair> pairs = neighbours(count);
  Tensor distinct = torch::zeros({count}, torch::kBool);
  for (int64_t k = 0; k < options.seeds; ++k) {
    const auto network = random_network(call, options.first_seed + static_cast<uint64_t>(k));
    const Tensor y = embed(*network, originals, count);
    pairs = k == 0 && pairing == Pairing::kAll ? close_pairs(y, options.radius)
                                               : still_close(pairs, y, options.radius);
    if (!copies.batches.empty())
      distinct |=
          (embed(*network, copies, count) - y).to(torch::kFloat64).abs().sum(1) > options.radius;
    // Nothing more can be learnt of a graph in no pair that is distinct from its copy already.
    const bool count_false = k + 1 < options.false_seeds;
    copies = count_false ? reduced(copies, ~distinct) : Prepared();
    originals =
        reduced(originals, count_false ? members(pairs, count) | ~distinct : members(pairs, count));
    const bool settled = originals.batches.empty();
    if (options.progress) options.progress(settled ? options.seeds : k + 1);
    if (settled) break;
  }
  result.unseparated = static_cast<int64_t>(pairs.size());
  result.falsely_separated = distinct.sum().item<int64_t>();
  return result;
}

}  // namespace equiframe::inline experiments
