#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/simple_graph.h"
#include "equiframe/training/run.h"
#include "models/graphs/graph_model.h"

namespace equiframe::app {

/// `equiframe graph embed`.
void add_graph_embed(CLI::App& graph_command);

/// f of all graphs in batches of similar size, in `eval()` and without gradients: [graphs, C] in
/// the order of the list. Throws UserError that names a graph for which they are not finite.
Tensor for_graphs(GraphModel& model, const std::vector<SimpleGraph>& graphs,
                  const std::function<Tensor(const Batch&)>& f);

/// Of how many graphs a network does not see the order of nodes, as its frame came out for each.
struct InvariantGraphs {
  int64_t graphs = 0, of = 0;

  void count(const GraphModel& network, const Batch& batch);
  bool all() const { return graphs == of; }
  std::string sentence() const;
};

/// The same model as a network on graphs; UserError if it is none. `where` names it.
GraphModel& as_graph_model(Model& model, const std::string& where);

/// The class of each graph in a file, written as .csv or .json: `predict` for networks on graphs.
struct GraphPrediction {
  std::filesystem::path in, out;
  bool json = false;
};
void predict_graphs(const LoadedModel& loaded, const GraphPrediction& request);

}  // namespace equiframe::app
