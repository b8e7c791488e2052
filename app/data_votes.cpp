#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <c10/util/StringUtil.h>

#include "all_cores.h"
#include "data_commands.h"
#include "data_folder.h"
#include "datasets/patches/vote_set.h"
#include "equiframe/core/error.h"
#include "normals/learned/network_files.h"
#include "progress.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct VotesCommand {
  VoteSetOptions options;
  fs::path out, shapes, model;
  int threads = 0;
  bool force = false;
  bool json = false;
};

void generate(const VotesCommand& command) {
  use_all_cores(command.threads);
  const CadSet shapes = read_cad(command.shapes);
  const NormalEstimator network = load_normal_networks({command.model, "none", "none"});
  prepare_folder(command.out, command.force);
  const VoteSet set = [&] {
    ProgressBar bar("clouds", static_cast<double>(command.options.clouds));
    return make_votes(shapes, network, command.options,
                      [&](int64_t done) { bar.update(static_cast<double>(done), c10::str(done)); });
  }();
  print_manifest(command.out, write_votes(command.out, set), command.json);
}

}  // namespace

void add_data_votes(CLI::App& data) {
  const auto command = std::make_shared<VotesCommand>();
  VoteSetOptions& options = command->options;
  CLI::App* votes = data.add_subcommand(
      "votes", "Parts of noisy clouds with the normals of 'fa-patch', to train 'normal-votes' on");
  votes->add_option("-o,--out", command->out, "folder for the files")->required();
  votes->add_option("--shapes", command->shapes, "folder of a set made by 'equiframe data cad'")
      ->required();
  votes->add_option("--model", command->model, "weights of 'fa-patch' [those of the program]");
  votes->add_option("--clouds", options.clouds, "clouds")->capture_default_str();
  votes->add_option("--points", options.points, "points of each")->capture_default_str();
  votes->add_option("--seed", options.seed, "seed of the random stream")->capture_default_str();
  votes->add_option("--threads", command->threads, "threads [as many as useful]");
  votes->add_flag("--force", command->force, "write into a folder that holds other files");
  votes->add_flag("--json", command->json, "print JSON");
  votes->callback([command] { generate(*command); });
}

}  // namespace equiframe::app
