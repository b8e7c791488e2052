#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "build_commit.h"
#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/training/run.h"
#include "interruption.h"
#include "train_console.h"
#include "training/engine/metrics.h"
#include "training/engine/run_folder.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct TrainCommand {
  fs::path config;
  fs::path out;
  fs::path data;
  std::vector<std::string> settings;
  std::optional<uint64_t> seed;
  std::optional<int64_t> threads;
  bool resume = false;
  bool force = false;
  bool json = false;
};

std::vector<std::string> settings(const TrainCommand& command) {
  std::vector<std::string> result = command.settings;
  if (command.seed) result.push_back("train.seed=" + std::to_string(*command.seed));
  if (command.threads) result.push_back("train.threads=" + std::to_string(*command.threads));
  return result;
}

/// runs/EXPERIMENT/ROW-SEED for configs/EXPERIMENT/ROW.toml.
fs::path default_folder(const fs::path& config, const RunConfig& run) {
  const fs::path experiment = fs::absolute(config).parent_path().filename();
  return fs::path("runs") / experiment /
         (config.stem().string() + "-" + std::to_string(run.train.seed));
}

/// A run that is resumed has its own config; the file it was started from must mean the same model
/// and data.
RunConfig resumed_config(const TrainCommand& command, const fs::path& folder) {
  const RunConfig saved = load_config(folder / "config.toml", settings(command));
  if (fs::is_directory(command.config)) return saved;
  const RunConfig file = load_config(command.config, settings(command));
  if (file.model.name != saved.model.name || file.data.name != saved.data.name)
    throw UserError("the run in '" + folder.string() + "' trains " + saved.model.name + " on " +
                    saved.data.name + ", not what '" + command.config.string() +
                    "' says; choose its folder with --out");
  return saved;
}

RunRequest to_request(const TrainCommand& command) {
  RunRequest request;
  const bool is_run = fs::is_directory(command.config);
  if (is_run && !RunFolder::holds_run(command.config))
    throw UserError("'" + command.config.string() + "' is no run folder and no config");
  const fs::path file = is_run ? command.config / "config.toml" : command.config;
  request.config = load_config(file, settings(command));
  request.folder = !command.out.empty() ? command.out
                   : is_run             ? command.config
                                        : default_folder(command.config, request.config);
  if (command.resume && RunFolder::holds_run(request.folder))
    request.config = resumed_config(command, request.folder);
  request.on_existing = command.resume  ? OnExisting::kResume
                        : command.force ? OnExisting::kReplace
                                        : OnExisting::kRefuse;
  request.data = command.data;
  request.commit = build_commit();
  request.stop = &OrderlyStop::requested();
  return request;
}

void print_result(const RunRequest& request, const RunResult& result) {
  const auto& metrics = result.metrics;
  const Score test = find_score(metrics, "test"), valid = find_score(metrics, "valid"),
              train = find_score(metrics, "train");
  const char* name = request.config.model.name.c_str();
  const bool classes = test.measure == Measure::kCrossEntropy;
  if (classes)
    std::printf("%s: test accuracy %.1f %%, valid %.1f %%, train %.1f %%", name,
                100 * test.accuracy, 100 * valid.accuracy, 100 * train.accuracy);
  else
    std::printf("%s: test %s %.4g, valid %.4g, train %.3g", name, error_title(test.measure),
                test.error, valid.error, train.error);
  std::printf(" at epoch %.0f of %.0f (%s)\n", metrics.at("best_epoch"), metrics.at("epochs"),
              to_string(result.fit.reason).c_str());
  if (!request.config.paper.table.empty())
    std::printf("paper, %s, %s: %.4g%s\n", request.config.paper.table.c_str(),
                request.config.paper.row.c_str(), (classes ? 100 : 1) * request.config.paper.value,
                classes ? " %" : "");
  std::printf("wrote %s\n",
              text::printable((request.folder / "model.safetensors").string()).c_str());
  std::fflush(stdout);
}

void train(const TrainCommand& command) {
  if (command.resume && command.force)
    throw UserError("--resume goes on with a run and --force replaces it; choose one");
  RunRequest request = to_request(command);
  TrainConsole console(request.config.train.epochs, request.config.train.max_seconds);
  request.observer = &console;
  const RunResult result = [&] {
    const OrderlyStop orderly;
    return run(request);
  }();
  console.close();
  if (!result.finished)
    return say_how_to_go_on(c10::str("stopped at epoch ", result.fit.progress.epoch, ", step ",
                                     result.fit.progress.step, "; everything is saved"),
                            resume_command(request.folder, request.data));
  if (!command.json) return print_result(request, result);
  std::ifstream file(request.folder / "result.json");
  std::cout << file.rdbuf();
}

}  // namespace

void add_train(CLI::App& app) {
  const auto options = std::make_shared<TrainCommand>();
  CLI::App* command = app.add_subcommand("train", "Train the model of a config, or go on with it");
  command->add_option("config", options->config, "a TOML file, or the folder of a run")->required();
  command->add_option("-o,--out", options->out,
                      "folder of the run; runs/EXPERIMENT/ROW-SEED if left out");
  command->add_option("--data", options->data,
                      "the data: a folder, or a file of graphs; the cache if left out");
  command->add_option("--seed", options->seed, "in place of train.seed");
  command->add_option("--threads", options->threads, "in place of train.threads");
  command->add_option("--set", options->settings, "section.key=value, over the config")
      ->allow_extra_args(false);
  command->add_flag("--resume", options->resume,
                    "go on with the run in the folder, if there is one");
  command->add_flag("--force", options->force, "replace the run in the folder");
  command->add_flag("--json", options->json, "print the result as JSON");
  command->callback([options] { train(*options); });
}

}  // namespace equiframe::app
