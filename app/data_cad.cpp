#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <c10/util/StringUtil.h>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "core/plain_text.h"
#include "data_commands.h"
#include "data_folder.h"
#include "datasets/solids/solids.h"
#include "equiframe/core/error.h"
#include "equiframe/datasets/cad_set.h"
#include "equiframe/io/point_files.h"
#include "experiments/normals/contact_sheet.h"
#include "io/bytes/atomic_file.h"
#include "progress.h"
#include "runtime/machine.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSheetModels = 40, kSheetColumns = 8;
constexpr const char* kSheet = "contact-sheet.svg";

struct CadCommand {
  CadOptions options;
  std::vector<std::string> kinds;  // empty = all that can be made
  fs::path out;
  std::string format;  // of single models; empty = none
  int threads = 0;
  bool force = false;
  bool json = false;
};

std::string file_of(int64_t number, const std::string& format) {
  char name[32];
  std::snprintf(name, sizeof name, "model-%06lld.", static_cast<long long>(number));
  return name + format;
}

/// Smooth shapes have no STEP file: only solids are exact there.
void export_model(const CadCommand& command, int64_t number, const Shape& shape) {
  const fs::path path = command.out / file_of(number, command.format);
  if (command.format != "step")
    write_points(path, shape.mesh(), {.coordinates = CoordinateType::kFloat32});
  else if (const auto* solid = dynamic_cast<const Solid*>(&shape))
    solid->write_step(path);
}

/// Draws while models are made, and writes those that were asked for.
class Onlooker {
 public:
  explicit Onlooker(const CadCommand& command)
      : command_(command),
        sheet_(static_cast<size_t>(std::min(command.options.models, kSheetModels))) {}

  /// Called by several threads, each with numbers of its own.
  void see(int64_t number, const Shape& shape) {
    if (number < static_cast<int64_t>(sheet_.size()))
      sheet_[static_cast<size_t>(number)] = {shape.mesh(MeshDetail::kSketch), shape.recipe()};
    if (!command_.format.empty()) export_model(command_, number, shape);
  }

  /// Writes the sheet and returns the files that were written.
  std::vector<std::string> finish() const {
    const std::string title = c10::str("Random models of seed ", command_.options.seed, ": ",
                                       sheet_.size(), " of ", command_.options.models);
    write_file_atomically(command_.out / kSheet,
                          contact_sheet(title, sheet_, kSheetColumns).file());
    std::vector<std::string> files{kSheet};
    if (command_.format.empty()) return files;
    for (int64_t k = 0; k < command_.options.models; ++k)
      if (const std::string name = file_of(k, command_.format); fs::exists(command_.out / name))
        files.push_back(name);
    return files;
  }

 private:
  const CadCommand& command_;
  std::vector<SheetModel> sheet_;
};

void print(const CadCommand& command, const Manifest& manifest, double seconds, int threads) {
  std::uintmax_t bytes = 0;
  for (const auto& [name, checksum] : manifest.files) bytes += fs::file_size(command.out / name);
  if (command.json) {
    const nlohmann::json document{{"folder", text::printable(command.out.string())},
                                  {"description", manifest.description},
                                  {"models", command.options.models},
                                  {"sha256", manifest.files},
                                  {"seconds", seconds},
                                  {"threads", threads}};
    std::cout << document.dump(2) << '\n';
    return;
  }
  for (const char* name : {"points.npy", "normals.npy", "edges.npy", "recipes.txt", kSheet})
    std::printf("%s  %s\n", manifest.files.at(name).c_str(), name);
  std::printf("%lld models, %zu files, %.1f MB, in %s; %.1f s, threads: %d\n",
              static_cast<long long>(command.options.models), manifest.files.size(),
              static_cast<double>(bytes) / 1e6, text::printable(command.out.string()).c_str(),
              seconds, threads);
  std::fflush(stdout);
}

void generate(const CadCommand& command) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = command.threads > 0 ? command.threads : runtime::machine().usable_cores;
  prepare_folder(command.out, command.force);
  const auto former = read_manifest(command.out);
  Onlooker onlooker(command);
  const CadSet set = [&] {
    ProgressBar bar("models", static_cast<double>(command.options.models));
    const CadWork work{
        .threads = threads,
        .progress = [&](int64_t done) { bar.update(static_cast<double>(done), c10::str(done)); },
        .inspect = [&](int64_t number, const Shape& shape) { onlooker.see(number, shape); }};
    return generate_cad(command.options, work);
  }();
  const Manifest manifest{set.description, write_cad(command.out, set, onlooker.finish())};
  if (former) remove_former(command.out, *former, manifest);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  print(command, manifest, seconds.count(), threads);
}

void choose_kinds(CadCommand& command) {
  command.options.kinds = command.kinds;
  if (!command.kinds.empty()) return;
  command.options.kinds = {"solids", "organic"};
  if (solids_available()) return;
  command.options.kinds = {"organic"};
  std::cerr << "equiframe-cad is not here, so all shapes are smooth; 'make solids' installs Open "
               "CASCADE and builds it\n";
}

}  // namespace

void add_data_cad(CLI::App& data) {
  const auto command = std::make_shared<CadCommand>();
  CadOptions& options = command->options;
  CLI::App* cad = data.add_subcommand(
      "cad", "Points and normals of random solids, as CAD makes them, and of smooth shapes");
  cad->add_option("-o,--out", command->out, "folder for the files")->required();
  cad->add_option("--models", options.models, "models")->capture_default_str();
  cad->add_option("--points", options.points, "points of each model")->capture_default_str();
  cad->add_option("--seed", options.seed, "seed of the random stream")->capture_default_str();
  cad->add_option("--kinds", command->kinds,
                  "solids, organic or both, which take turns [both; organic without Open CASCADE]")
      ->delimiter(',');
  cad->add_option("--export", command->format, "also write each model: step, obj, ply or stl")
      ->check(one_of("format", {"step", "obj", "ply", "stl"}));
  cad->add_option("--threads", command->threads, "threads [as many as useful]");
  cad->add_flag("--force", command->force, "write into a folder that holds other files");
  cad->add_flag("--json", command->json, "print JSON");
  cad->callback([command] {
    choose_kinds(*command);
    generate(*command);
  });
}

}  // namespace equiframe::app
