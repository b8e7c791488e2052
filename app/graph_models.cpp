#include "graph_models.h"

#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <torch/utils.h>

#include "commands.h"
#include "core/default_generator.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "io/bytes/atomic_file.h"
#include "io/graphs/graph_batch.h"
#include "progress.h"
#include "training/engine/metrics.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct EmbedCommand {
  std::string model;
  fs::path file, out = "embeddings.npy";
  uint64_t seed = 1;
  bool json = false;
};

/// A file, the folder of a run, or the name of an architecture with random weights.
std::shared_ptr<Model> find_model(const EmbedCommand& command) {
  if (fs::exists(command.model)) return load_model_or_run(command.model).model;
  const bool path = command.model.find('/') != std::string::npos ||
                    command.model.find(".safetensors") != std::string::npos;
  if (path) throw UserError("there is no '" + command.model + "'; check the path");
  seed_default_generator(command.seed);
  return make_model(command.model);
}

void embed(const EmbedCommand& command) {
  if (command.out.extension() != ".npy")
    throw UserError("'" + command.out.string() + "': embeddings are written as .npy");
  const auto graphs = read_graphs(command.file);
  const auto model = find_model(command);
  GraphModel& network = as_graph_model(*model, command.model);
  InvariantGraphs invariant;
  const Tensor rows = for_graphs(network, graphs, [&](const Batch& batch) {
    invariant.count(network, batch);
    return network.embedding(batch);
  });
  write_npy(command.out, rows);
  if (command.json)
    std::cout << ordered_json{{"out", text::printable(command.out.string())},
                              {"graphs", rows.size(0)},
                              {"width", rows.size(1)},
                              {"symmetry", invariant.all() ? "S(n)" : "none"},
                              {"invariant_graphs", invariant.graphs}}
                     .dump(2)
              << '\n';
  else
    std::cout << "wrote " << text::printable(command.out.string()) << ": " << rows.size(0)
              << " graphs, " << rows.size(1) << " numbers each, " << invariant.sentence() << "\n";
}

/// [graphs, classes], of which each row sums to one.
Tensor probabilities(const Tensor& logits) {
  if (logits.size(1) > 1) return torch::softmax(logits.to(torch::kFloat64), 1);
  const Tensor one = torch::sigmoid(logits.to(torch::kFloat64));
  return torch::cat({1 - one, one}, 1);
}

}  // namespace

void InvariantGraphs::count(const GraphModel& network, const Batch& batch) {
  graphs += network.invariant_items(batch).sum().item<int64_t>();
  of += batch.size();
}

std::string InvariantGraphs::sentence() const {
  if (graphs == of) return "invariant to the order of nodes";
  if (graphs == 0) return "NOT invariant to the order of nodes";
  return c10::str("invariant to the order of nodes for ", graphs, " of ", of,
                  " graphs; the frames of the other ", of - graphs,
                  " are too large to be listed and were drawn from (frame=canonical is exact)");
}

GraphModel& as_graph_model(Model& model, const std::string& where) {
  auto* network = dynamic_cast<GraphModel*>(&model);
  if (network == nullptr)
    throw UserError("'" + where + "' takes '" + model.signature().in +
                    "'; this command is for networks on graphs");
  return *network;
}

Tensor for_graphs(GraphModel& model, const std::vector<SimpleGraph>& graphs,
                  const std::function<Tensor(const Batch&)>& f) {
  constexpr int64_t kPairs = 1 << 20;  // of nodes in a batch
  if (graphs.empty()) throw UserError("there are no graphs in the file");
  const torch::NoGradGuard no_grad;
  model.eval();
  ProgressBar bar("graphs", static_cast<double>(graphs.size()));
  std::vector<Tensor> rows;
  std::vector<int64_t> order;
  for (const std::vector<int64_t>& places : batches_by_size(graphs, kPairs)) {
    rows.push_back(f(to_type(graph_batch(pick(graphs, places)), type_of(model))));
    order.insert(order.end(), places.begin(), places.end());
    bar.update(static_cast<double>(order.size()), std::to_string(order.size()));
  }
  const Tensor all = torch::cat(rows);
  const Tensor result =
      torch::empty_like(all).index_copy_(0, torch::tensor(order, torch::kLong), all);
  const Tensor lost = result.isfinite().flatten(1).all(1).logical_not().nonzero();  // [count, 1]
  if (lost.size(0) > 0)
    throw UserError(c10::str("graph ", lost[0][0].item<int64_t>() + 1,
                             ": the numbers that come out are not finite; give graphs of the size "
                             "the model was trained on"));
  return result;
}

void predict_graphs(const LoadedModel& loaded, const GraphPrediction& request) {
  GraphModel& network = as_graph_model(*loaded.model, loaded.card.architecture.name);
  if (measure_of(loaded.card) != Measure::kCrossEntropy)
    throw UserError("this network was not trained to classify; see 'equiframe graph embed'");
  const std::string extension = request.out.extension().string();
  if (request.out != "-" && extension != ".csv" && extension != ".json")
    throw UserError("'" + request.out.string() + "': classes are written as .csv or .json");
  const auto graphs = read_graphs(request.in);
  InvariantGraphs invariant;
  const Tensor p = probabilities(for_graphs(network, graphs, [&](const Batch& batch) {
    invariant.count(network, batch);
    return network.forward(batch);
  }));
  const auto [most, chosen] = p.max(1);
  std::string csv = "graph,class,probability\n";
  ordered_json document = ordered_json::array();
  for (int64_t k = 0; k < p.size(0); ++k) {
    const auto number = chosen[k].item<int64_t>();
    const int64_t label = loaded.card.classes.empty() ? number : loaded.card.classes.at(number);
    csv += c10::str(k + 1, ',', label, ',', most[k].item<double>(), '\n');
    document.push_back(
        {{"graph", k + 1}, {"class", label}, {"probability", most[k].item<double>()}});
  }
  const bool json = extension == ".json" || (request.out == "-" && request.json);
  const std::string text = json ? document.dump(1) + "\n" : csv;
  if (request.out == "-") {
    std::cout << text;
    if (!invariant.all()) std::cerr << "note: the classes are " << invariant.sentence() << "\n";
    return;
  }
  write_file_atomically(request.out, text);
  if (request.json)
    std::cout << ordered_json{{"out", text::printable(request.out.string())},
                              {"graphs", graphs.size()},
                              {"invariant_graphs", invariant.graphs}}
                     .dump(2)
              << '\n';
  else
    std::cout << "wrote " << text::printable(request.out.string()) << ": classes of "
              << graphs.size() << " graphs, " << invariant.sentence() << "\n";
}

void add_graph_embed(CLI::App& graph_command) {
  const auto command = std::make_shared<EmbedCommand>();
  CLI::App* sub = graph_command.add_subcommand(
      "embed", "Numbers for each graph that do not depend on the order of its nodes");
  sub->add_option("model", command->model,
                  "a .safetensors file, the folder of a run, or an architecture with random "
                  "weights such as 'gin-id(nodes=64)'")
      ->required();
  sub->add_option("file", command->file, "graphs, in any format that can be read")->required();
  sub->add_option("-o,--out", command->out, "array of [graphs, numbers], .npy")
      ->capture_default_str();
  sub->add_option("--seed", command->seed, "of random weights")->capture_default_str();
  sub->add_flag("--json", command->json, "print JSON");
  sub->callback([command] { embed(*command); });
}

}  // namespace equiframe::app
