#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/io/npy.h"
#include "equiframe/training/run.h"
#include "graph_models.h"
#include "io/bytes/atomic_file.h"
#include "particle_files.h"
#include "training/engine/metrics.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kBatch = 100;

struct PredictCommand {
  fs::path model;
  fs::path in;
  fs::path out = "-";
  bool json = false;
};

void require_particles(const ModelCard& card, const fs::path& model) {
  if (card.signature.in != "point + vector + scalar" || card.signature.out != "point")
    throw UserError("'" + model.string() + "' takes '" + card.signature.in + "' and gives '" +
                    card.signature.out + "'; predict is for models of particles and graphs");
}

/// Throws UserError that names the first particle of which `numbers` [B, N, C] are not all finite.
void require_finite(const PredictCommand& command, const ParticleSystems& systems,
                    const Tensor& numbers, const std::string& trouble) {
  Tensor lost = numbers.isfinite().all(2).logical_not();  // [B, N]
  if (systems.batch.mask.defined()) lost = lost.logical_and(systems.batch.mask);
  const Tensor places = lost.nonzero();  // [count, 2]
  if (places.size(0) == 0) return;
  const auto system = places[0][0].item<int64_t>();
  const std::string name = systems.names.empty() ? std::to_string(system)
                                                 : systems.names.at(static_cast<size_t>(system));
  throw UserError(c10::str(command.in.string(), ": sample ", name, ", particle ",
                           places[0][1].item<int64_t>(), ": ", trouble,
                           "; bring positions, velocities and charges to the range the model was "
                           "trained on"));
}

/// [B, N, 3] in the type of the model.
Tensor predict_positions(Model& model, const Batch& batch) {
  const torch::NoGradGuard no_grad;
  model.eval();
  std::vector<Tensor> pieces;
  for (int64_t start = 0; start < batch.size(); start += kBatch) {
    const int64_t count = std::min(kBatch, batch.size() - start);
    const Batch part = batch.map([&](const Tensor& t) { return t.narrow(0, start, count); });
    pieces.push_back(model.forward(to_type(part, type_of(model))));
  }
  return torch::cat(pieces);
}

void write(const PredictCommand& command, const ParticleSystems& systems, const Tensor& positions) {
  const bool to_terminal = command.out == "-";
  const ParticleFormat format = !to_terminal   ? particle_format(command.out)
                                : command.json ? ParticleFormat::kJson
                                               : particle_format(command.in);
  if (format == ParticleFormat::kNpy) {
    const Tensor array = positions_array(systems, positions);
    if (to_terminal)
      throw UserError("an array does not go to a terminal; add --out FILE.npy, or --json");
    return write_npy(command.out, array);
  }
  const std::string text = positions_text(systems, positions, format);
  if (to_terminal)
    std::cout << text;
  else
    write_file_atomically(command.out, text);
}

void predict_particles(const PredictCommand& command, const LoadedModel& loaded) {
  const ParticleSystems systems = read_particles(command.in);
  if (command.out != "-") particle_format(command.out);
  require_particles(loaded.card, command.model);
  const auto type = type_of(*loaded.model);
  require_finite(command, systems, to_type(systems.batch, type).x,
                 c10::str("a number is too large for the model, which computes in ",
                          type == torch::kFloat32 ? "float32" : "float64"));
  const Tensor positions = predict_positions(*loaded.model, systems.batch);
  require_finite(command, systems, positions, "the position that comes out is not finite");
  write(command, systems, positions);
  if (command.out == "-") return;
  int64_t particles = 0;
  for (const int64_t size : systems.sizes) particles += size;
  if (command.json)
    std::cout << nlohmann::ordered_json{{"out", text::printable(command.out.string())},
                                        {"systems", systems.sizes.size()},
                                        {"particles", particles}}
                     .dump(2)
              << '\n';
  else
    std::cout << "wrote " << text::printable(command.out.string()) << ": " << particles
              << " particles of " << systems.sizes.size()
              << (systems.sizes.size() == 1 ? " system\n" : " systems\n");
}

void predict(const PredictCommand& command) {
  const LoadedModel loaded = load_model_or_run(command.model);
  if (loaded.card.signature.in == "graph")
    return predict_graphs(loaded, {command.in, command.out, command.json});
  predict_particles(command, loaded);
}

}  // namespace

void add_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictCommand>();
  CLI::App* command =
      app.add_subcommand("predict", "Where particles will be, or the classes of graphs");
  command->add_option("model", options->model, "a .safetensors file, or the folder of a run")
      ->required();
  command->add_option("--in", options->in, "particles: .csv, .json or .npy; or a file of graphs")
      ->required();
  command->add_option("-o,--out", options->out,
                      "positions: .csv, .json or .npy, classes: .csv or .json; - for standard "
                      "output");
  command->add_flag("--json", options->json,
                    "print JSON: the positions, or with --out FILE what was written");
  command->callback([options] { predict(*options); });
}

}  // namespace equiframe::app
