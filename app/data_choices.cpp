#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <c10/util/StringUtil.h>

#include "all_cores.h"
#include "data_commands.h"
#include "data_folder.h"
#include "datasets/patches/choice_set.h"
#include "normals/learned/network_files.h"
#include "progress.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

struct ChoicesCommand {
  ChoiceSetOptions options;
  fs::path out, shapes;
  NormalNetworkFiles network;
  int threads = 0;
  bool force = false;
  bool json = false;
};

void generate(ChoicesCommand& command) {
  use_all_cores(command.threads);
  const CadSet shapes = read_cad(command.shapes);
  command.network.choice = "none";
  const NormalEstimator network = load_normal_networks(command.network);
  prepare_folder(command.out, command.force);
  const ChoiceSet set = [&] {
    ProgressBar bar("clouds", static_cast<double>(command.options.clouds));
    return make_choices(shapes, network, command.options, [&](int64_t done) {
      bar.update(static_cast<double>(done), c10::str(done));
    });
  }();
  print_manifest(command.out, write_choices(command.out, set), command.json);
}

}  // namespace

void add_data_choices(CLI::App& data) {
  const auto command = std::make_shared<ChoicesCommand>();
  ChoiceSetOptions& options = command->options;
  CLI::App* choices = data.add_subcommand(
      "choices", "Points of noisy clouds with several normals each, to train 'normal-choice' on");
  choices->add_option("-o,--out", command->out, "folder for the files")->required();
  choices->add_option("--shapes", command->shapes, "folder of a set made by 'equiframe data cad'")
      ->required();
  choices->add_option("--model", command->network.patches,
                      "weights of 'fa-patch' [those of the program]");
  choices->add_option("--votes", command->network.votes,
                      "weights of 'normal-votes', or none [those of the program]");
  choices->add_option("--clouds", options.clouds, "clouds")->capture_default_str();
  choices->add_option("--points", options.points, "points of each")->capture_default_str();
  choices->add_option("--seed", options.seed, "seed of the random stream")->capture_default_str();
  choices->add_option("--threads", command->threads, "threads [as many as useful]");
  choices->add_flag("--force", command->force, "write into a folder that holds other files");
  choices->add_flag("--json", command->json, "print JSON");
  choices->callback([command] { generate(*command); });
}

}  // namespace equiframe::app
