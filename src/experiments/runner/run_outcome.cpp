#include "experiments/runner/run_outcome.h"

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "equiframe/averaging/frame_rows.h"
#include "equiframe/core/error.h"
#include "equiframe/groups/euclidean.h"
#include "equiframe/laws/frame_laws.h"
#include "training/engine/metrics.h"

namespace equiframe::inline experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kDraws = 8;  // group elements a model is measured on

History read_history(const fs::path& file) {
  History history;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    history.push_back(parse_json_line(line));
  }
  return history;
}

Provenance read_provenance(const json& entry) {
  return {entry.at("commit"), entry.at("equiframe"), entry.at("libtorch"),
          entry.at("cpu"),    entry.at("simd"),      entry.at("threads")};
}

RunOutcome read(const fs::path& folder, const json& result) {
  RunOutcome run;
  run.folder = folder;
  run.config = load_config(folder / "config.toml");
  run.config_hash = result.at("config_sha256");
  run.history = read_history(folder / "metrics.jsonl");
  run.parameters = result.at("parameters");
  const auto metrics = result.at("metrics").get<std::map<std::string, double>>();
  run.train = find_score(metrics, "train");
  run.valid = find_score(metrics, "valid");
  run.test = find_score(metrics, "test");
  run.best_epoch = static_cast<int64_t>(metrics.at("best_epoch"));
  run.epochs = static_cast<int64_t>(metrics.at("epochs"));
  run.seconds = result.at("seconds");
  run.stopped_by = result.at("stopped_by");
  const json& equivariance = result.at("equivariance");
  run.group = equivariance.at("group");
  run.group_error32 = equivariance.at("float32");
  run.group_error64 = equivariance.at("float64");
  run.data_description = result.at("data").at("description");
  run.data_checksum = result.at("data").at("checksum");
  run.provenance = read_provenance(result.at("provenance"));
  return run;
}

}  // namespace

std::optional<RunOutcome> read_outcome(const fs::path& folder) {
  const fs::path file = folder / "result.json";
  if (!fs::exists(file)) return std::nullopt;
  try {
    std::ifstream in(file);
    return read(folder, json::parse(in));
  } catch (const UserError&) {
    throw;
  } catch (const std::exception&) {
    throw UserError("cannot understand the result in '" + folder.string() +
                    "'; train it anew with --fresh");
  }
}

double euclidean_error(const fs::path& model_file) {
  const LoadedModel loaded = load_model(model_file);
  const auto model = build_model(loaded.card.architecture, torch::kFloat64);
  copy_weights(*loaded.model, *model);
  const Signature signature = model->signature();
  const EuclideanGroup group = EuclideanGroup::E(3);
  const Symmetry<EuclideanGroup> symmetry{group, group.type(signature.in),
                                          group.type(signature.out)};
  const auto f = [&](const Batch& x) {
    const torch::NoGradGuard no_grad;
    return model->forward(x);
  };
  const Batch x = to_type(loaded.reference_input, torch::kFloat64);
  auto generator = make_generator(1);
  double worst = 0;
  for (int i = 0; i < kDraws; ++i)
    worst = std::max(worst, laws::equivariance_error(symmetry, f, x, generator));
  return worst;
}

}  // namespace equiframe::inline experiments
