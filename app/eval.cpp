#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "command_line.h"
#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/training/run.h"
#include "graph_models.h"
#include "train_console.h"
#include "training/engine/load_data.h"
#include "training/engine/metrics.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int64_t kEquivarianceItems = 64;

struct EvalCommand {
  fs::path model;
  fs::path data;
  std::string split = "test";
  int64_t batch = 100;
  int64_t worst = 5;
  bool json = false;
};

struct Measured {
  Measure measure = Measure::kSquaredError;
  ItemScores items;
  EquivarianceErrors equivariance;
  std::optional<InvariantGraphs> invariant;  // networks on graphs
  std::string checksum;
};

const Dataset& choose(const Splits& splits, const std::string& name) {
  if (name == "train") return *splits.train;
  return name == "valid" ? *splits.valid : *splits.test;
}

void require_finite(const Tensor& errors, const EvalCommand& command) {
  const Tensor lost = errors.isfinite().logical_not().nonzero();  // [count, 1]
  if (lost.size(0) == 0) return;
  throw UserError(c10::str("'", command.model.string(), "' gives answers that are not finite to ",
                           lost.size(0), " of ", errors.size(0), " ", command.split,
                           " samples, first to sample ", lost[0][0].item<int64_t>(),
                           "; look at its input, or train anew with a smaller step"));
}

Measured measure(const LoadedModel& loaded, const EvalCommand& command) {
  TrainConsole console(1, 0);
  const Splits splits = load_data(loaded.card.data, command.data, &console);
  console.close();
  const Dataset& data = choose(splits, command.split);
  const Tensor first = torch::arange(std::min(kEquivarianceItems, data.size()));
  const Batch input = data.get(first).input;
  const Measure kind = measure_of(loaded.card);
  const ItemScores items = item_scores(*loaded.model, data, command.batch, kind);
  require_finite(items.error, command);
  Measured measured{kind, items, measure_equivariance(loaded, input), {}, splits.checksum};
  if (const auto* network = dynamic_cast<const GraphModel*>(loaded.model.get()))
    measured.invariant.emplace().count(*network, input);
  return measured;
}

ordered_json worst_items(const Tensor& errors, int64_t count, const char* name) {
  const auto [values, items] = errors.topk(std::min(count, errors.size(0)));
  ordered_json result = ordered_json::array();
  for (int64_t i = 0; i < items.size(0); ++i)
    result.push_back({{"sample", items[i].item<int64_t>()}, {name, values[i].item<double>()}});
  return result;
}

/// A network on graphs that claims nothing of all graphs has no error that was measured.
void add_invariant(ordered_json& equivariance, const InvariantGraphs& invariant) {
  equivariance["invariant_graphs"] = invariant.graphs;
  equivariance["graphs"] = invariant.of;
  equivariance["order_of_nodes"] = invariant.sentence();
  if (equivariance["group"] != "none") return;
  for (const char* error : {"float32", "float64", "permutation_float32", "permutation_float64"})
    equivariance[error] = nullptr;
}

ordered_json to_json(const EvalCommand& command, const LoadedModel& loaded,
                     const Measured& measured) {
  const EquivarianceErrors& e = measured.equivariance;
  const ModelCard& card = loaded.card;
  const Tensor& errors = measured.items.error;
  const std::string name = error_name(measured.measure);
  ordered_json result{{"model", text::printable(command.model.string())},
                      {"architecture", card.architecture.name},
                      {"parameters", card.parameters},
                      {"split", command.split},
                      {"samples", errors.size(0)},
                      {command.split + "_" + name, errors.mean().item<double>()},
                      {"median_" + name, errors.median().item<double>()}};
  if (measured.items.right.defined())
    result[command.split + "_accuracy"] =
        measured.items.right.to(torch::kFloat64).mean().item<double>();
  result["worst"] = worst_items(errors, command.worst, name.c_str());
  result["equivariance"] = {{"group", card.signature.group},
                            {"float32", e.float32},
                            {"float64", e.float64},
                            {"permutation_float32", e.permutation32},
                            {"permutation_float64", e.permutation64}};
  if (measured.invariant) add_invariant(result["equivariance"], *measured.invariant);
  result["data_checksum"] = measured.checksum;
  result["trained_on_these_data"] =
      card.data_checksum.empty() || card.data_checksum == measured.checksum;
  return result;
}

void print(const ordered_json& r, const EvalCommand& command, Measure measure) {
  std::printf("%s, %lld parameters, on %lld %s samples\n",
              r["architecture"].get<std::string>().c_str(),
              static_cast<long long>(r["parameters"].get<int64_t>()),
              static_cast<long long>(r["samples"].get<int64_t>()), command.split.c_str());
  const bool classes = r.contains(command.split + "_accuracy");
  const std::string error = error_name(measure);
  if (classes)
    std::printf("  accuracy      %.2f %%\n", 100 * r[command.split + "_accuracy"].get<double>());
  std::printf("  %-13s %.6g (median of the samples %.3g)\n", error_title(measure),
              r[command.split + "_" + error].get<double>(), r["median_" + error].get<double>());
  const ordered_json& e = r["equivariance"];
  if (e["group"] == "none")
    std::printf("  equivariance  %s\n", e.value("order_of_nodes", "no group is claimed").c_str());
  else
    std::printf("  equivariance  %s: error %.1e in float32, %.1e in float64\n",
                e["group"].get<std::string>().c_str(), e["float32"].get<double>(),
                e["float64"].get<double>());
  if (!e["permutation_float32"].is_null())
    std::printf("  reordering    error %.1e in float32, %.1e in float64\n",
                e["permutation_float32"].get<double>(), e["permutation_float64"].get<double>());
  std::printf("  worst samples");
  for (const ordered_json& item : r["worst"])
    std::printf("  %lld: %.3g", static_cast<long long>(item["sample"].get<int64_t>()),
                item[error].get<double>());
  std::printf("\n");
  if (!r["trained_on_these_data"].get<bool>())
    std::printf("  note: the model was trained on other data\n");
  std::fflush(stdout);
}

void evaluate(const EvalCommand& command) {
  const LoadedModel loaded = load_model_or_run(command.model);
  const Measured measured = measure(loaded, command);
  const ordered_json result = to_json(command, loaded, measured);
  if (command.json)
    std::cout << result.dump(2) << '\n';
  else
    print(result, command, measured.measure);
}

}  // namespace

void add_eval(CLI::App& app) {
  const auto options = std::make_shared<EvalCommand>();
  CLI::App* command =
      app.add_subcommand("eval", "Measure the error and the equivariance of a trained model");
  command->add_option("model", options->model, "a .safetensors file, or the folder of a run")
      ->required();
  command->add_option("--data", options->data,
                      "the data: a folder, or a file of graphs; the cache if left out");
  command->add_option("--split", options->split, "train, valid or test")
      ->check(one_of("split", {"train", "valid", "test"}));
  command->add_option("--batch", options->batch, "samples at a time")->check(CLI::PositiveNumber);
  command->add_option("--worst", options->worst, "how many of the worst samples to name")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { evaluate(*options); });
}

}  // namespace equiframe::app
