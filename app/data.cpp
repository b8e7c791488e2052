#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/plain_text.h"
#include "data_commands.h"
#include "data_folder.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/nbody.h"
#include "progress.h"
#include "runtime/machine.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct NBodyCommand {
  NBodyOptions options;
  int64_t particles = 5;
  std::optional<double> strength;
  bool springs = false;
  fs::path out;
  int threads = 0;
  bool force = false;
  bool json = false;
};

/// The benchmark's settings of the chosen interaction with what was asked for on top.
NBodyOptions resolve(const NBodyCommand& command) {
  NBodyOptions result = command.options;
  result.system = command.springs ? kernels::springs(command.particles)
                                  : kernels::charged_particles(command.particles);
  result.system.steps = command.options.system.steps;
  result.system.sampling = command.options.system.sampling;
  result.system.dt = command.options.system.dt;
  result.system.noise = command.options.system.noise;
  result.system.speed = command.options.system.speed;
  if (command.strength) result.system.strength = *command.strength;
  return result;
}

void print(const NBodyCommand& command, const Manifest& manifest, double seconds, int threads) {
  if (command.json) {
    const nlohmann::json document{{"folder", text::printable(command.out.string())},
                                  {"description", manifest.description},
                                  {"sha256", manifest.files},
                                  {"seconds", seconds},
                                  {"threads", threads}};
    std::cout << document.dump(2) << '\n';
    return;
  }
  std::uintmax_t bytes = 0;
  for (const auto& [name, checksum] : manifest.files) {
    std::printf("%s  %s\n", checksum.c_str(), name.c_str());
    bytes += fs::file_size(command.out / name);
  }
  std::printf("%zu files, %.1f MB, in %s; %.2f s, threads: %d\n", manifest.files.size(),
              static_cast<double>(bytes) / 1e6, text::printable(command.out.string()).c_str(),
              seconds, threads);
  std::fflush(stdout);
}

void generate(const NBodyCommand& command) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = command.threads > 0 ? command.threads : runtime::machine().usable_cores;
  prepare_folder(command.out, command.force);
  const auto former = read_manifest(command.out);
  const auto work = [&](ProgressBar& bar) {
    return NBodyWork{
        threads, [&bar](double fraction, const std::string& what) { bar.update(fraction, what); }};
  };
  const NBodyArrays arrays = [&] {
    ProgressBar bar("simulating");
    return generate_nbody(resolve(command), work(bar));
  }();
  const Manifest manifest = [&] {
    ProgressBar bar("writing");
    return Manifest{arrays.description, write_nbody(command.out, arrays, work(bar))};
  }();
  if (former) remove_former(command.out, *former, manifest);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  print(command, manifest, seconds.count(), threads);
}

void add_nbody(CLI::App& data) {
  const auto command = std::make_shared<NBodyCommand>();
  NBodyOptions& options = command->options;
  CLI::App* nbody = data.add_subcommand(
      "nbody",
      "Charged particles in space: twelve .npy files by the recipe of the benchmark nbody_small");
  nbody->add_option("-o,--out", command->out, "folder for the files")->required();
  nbody->add_option("--particles", command->particles, "particles")->capture_default_str();
  nbody->add_option("--seed", options.seed, "seed of the random stream")->capture_default_str();
  nbody->add_option("--train", options.train, "training trajectories")->capture_default_str();
  nbody->add_option("--valid", options.valid, "validation trajectories")->capture_default_str();
  nbody->add_option("--test", options.test, "test trajectories")->capture_default_str();
  nbody->add_option("--length", options.system.steps, "steps a trajectory")->capture_default_str();
  nbody->add_option("--sampling", options.system.sampling, "steps from one saved frame to the next")
      ->capture_default_str();
  nbody->add_option("--dt", options.system.dt, "time step")->capture_default_str();
  nbody->add_option("--speed", options.system.speed, "initial speed")->capture_default_str();
  nbody->add_option("--noise", options.system.noise, "standard deviation of noise on saved states")
      ->capture_default_str();
  nbody->add_option("--strength", command->strength,
                    "factor of the forces [1, or 0.1 for springs]");
  nbody->add_flag("--springs", command->springs, "balls joined by springs instead of charges");
  nbody->add_option("--suffix", options.suffix, "end of the file names")->capture_default_str();
  nbody->add_option("--threads", command->threads, "threads [as many as useful]");
  nbody->add_flag("--force", command->force, "write into a folder that holds other files");
  nbody->add_flag("--json", command->json, "print JSON");
  nbody->callback([command] { generate(*command); });
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand("data", "Generate the data sets of the experiments");
  add_nbody(*data);
  add_data_cad(*data);
  add_data_votes(*data);
  add_data_choices(*data);
  add_data_graphs(*data);
}

}  // namespace equiframe::app
