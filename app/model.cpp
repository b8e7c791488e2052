#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "core/plain_text.h"
#include "equiframe/core/error.h"
#include "equiframe/models/model_file.h"
#include "equiframe/torchscript/wrap.h"
#include "io/bytes/input_file.h"

namespace equiframe::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct ModelCommand {
  fs::path file;
  uint64_t seed = 1;
  bool json = false;
};

std::string settings(const Choice& choice) {
  const std::string inside = choice.options().str();
  return inside.empty() ? choice.name : choice.name + "(" + inside + ")";
}

void row(const char* title, const std::string& text) {
  std::printf("  %-13s %s\n", title, text::printable(text).c_str());
}

/// A network on graphs that promises nothing was not measured.
std::string errors(const Signature& signature, const EquivarianceErrors& e) {
  if (signature.in == "graph" && signature.group == "none")
    return "none promised, so none measured; 'equiframe eval' says for how many graphs it holds";
  char buffer[160];
  std::snprintf(buffer, sizeof buffer,
                "error %.1e in float32, %.1e in float64; reordering %.1e, %.1e", e.float32,
                e.float64, e.permutation32, e.permutation64);
  return buffer;
}

void print(const ModelCard& card) {
  std::printf("%s\n", settings(card.architecture).c_str());
  row("parameters", std::to_string(card.parameters) +
                        (card.dtype == Precision::kFloat64 ? ", float64" : ", float32"));
  row("symmetry", card.signature.group + ", frame " + card.signature.frame);
  row("takes", card.signature.in);
  row("gives", card.signature.out);
  row("equivariance", errors(card.signature, card.equivariance));
  row("data", settings(card.data) + ": " + card.data_description);
  row("", "sha256 " + card.data_checksum);
  for (const auto& [name, value] : card.metrics) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    row(text::printable(name).c_str(), buffer);
  }
  const Provenance& p = card.provenance;
  row("made by", "equiframe " + p.equiframe + (p.commit.empty() ? "" : ", commit " + p.commit));
  row("", "LibTorch " + p.libtorch + ", " + p.cpu + ", " + p.simd + ", threads " +
              std::to_string(p.threads));
  row("licence", card.licence);
  std::fflush(stdout);
}

/// By its name, or because it begins as TorchScript's archives do.
bool is_script(const fs::path& file) {
  require_ordinary_file(file);
  char start[2] = {};
  InputFile(file).read(start, sizeof start);
  return file.extension() == ".pt" || (start[0] == 'P' && start[1] == 'K');
}

using Rows = std::vector<std::pair<std::string, std::string>>;  // title and text

/// An error in a card, which has null for one that is not finite.
std::string error_text(const ordered_json& error) {
  if (error.is_null()) return "not finite";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1e", error.get<double>());
  return buffer;
}

/// What a card says, without its first line. Throws json::exception for what is no card.
Rows script_rows(const ordered_json& card) {
  const auto words = [](const ordered_json& list) {
    std::string joined;
    for (const auto& each : list) joined += (joined.empty() ? "" : ", ") + each.get<std::string>();
    return joined;
  };
  Rows rows{{"wrapped", card.at("wrapped").at("file").get<std::string>()},
            {"symmetry", card.at("group").get<std::string>() + ", frame " +
                             card.at("frame").get<std::string>()},
            {"takes", words(card.at("in"))},
            {"gives", words(card.at("out"))}};
  for (const auto& [part, errors] : card.at("error").items()) {
    for (const char* type : {"float32", "float64"}) {
      if (!errors.at("before").contains(type) || !errors.at("after").contains(type)) continue;
      rows.emplace_back(type == std::string("float32") ? part : "",
                        "error " + error_text(errors.at("before").at(type)) + " before, " +
                            error_text(errors.at("after").at(type)) + " after, in " + type);
    }
  }
  rows.emplace_back("made by",
                    "equiframe " + card.at("made_by").at("equiframe").get<std::string>());
  return rows;
}

/// The card `equiframe wrap` left in a TorchScript file.
void show_script(const ModelCommand& command) {
  const std::string written = load_script_card(command.file);
  if (written.empty())
    throw UserError("'" + command.file.string() +
                    "' has no card: it was not written by equiframe wrap; see equiframe audit");
  std::string title;
  ordered_json card;
  Rows rows;
  try {
    card = ordered_json::parse(written);
    title = card.at("what").get<std::string>();
    rows = script_rows(card);
  } catch (const ordered_json::exception&) {
    throw UserError("the card in '" + command.file.string() +
                    "' is damaged; write the file again with equiframe wrap");
  }
  if (command.json) {
    std::cout << card.dump(2) << '\n';
    return;
  }
  std::printf("%s\n", text::printable(title).c_str());
  for (const auto& [name, value] : rows) row(text::printable(name).c_str(), value);
  std::fflush(stdout);
}

void show(const ModelCommand& command) {
  if (is_script(command.file)) {
    show_script(command);
    return;
  }
  const ModelCard card = load_card(command.file);
  if (command.json)
    std::cout << to_json(card) << '\n';
  else
    print(card);
}

ordered_json to_json(const Verification& v, const ModelCard& card) {
  const auto pairs = [](const EquivarianceErrors& e) {
    return ordered_json{{"float32", e.float32},
                        {"float64", e.float64},
                        {"permutation_float32", e.permutation32},
                        {"permutation_float64", e.permutation64}};
  };
  return {{"reference_error", v.reference_error},
          {"reference_tolerance", card.reference_tolerance},
          {"reference_holds", v.reference_holds},
          {"group", card.signature.group},
          {"equivariance_error", pairs(v.equivariance)},
          {"equivariance_tolerance", pairs(card.equivariance_tolerance)},
          {"equivariance_holds", v.equivariance_holds},
          {"pass", v.pass()}};
}

void verify(const ModelCommand& command) {
  if (is_script(command.file))
    throw UserError("'" + command.file.string() +
                    "' is a TorchScript file; measure it with equiframe audit");
  const Verification result = verify_model(command.file, command.seed);
  const ModelCard card = load_card(command.file);
  if (command.json) {
    std::cout << to_json(result, card).dump(2) << '\n';
  } else {
    std::printf("%-4s  reference output: error %.1e, tolerance %.1e\n",
                result.reference_holds ? "ok" : "FAIL", result.reference_error,
                card.reference_tolerance);
    std::printf("%-4s  %s: %s\n", result.equivariance_holds ? "ok" : "FAIL",
                card.signature.group.c_str(), errors(card.signature, result.equivariance).c_str());
    std::fflush(stdout);
  }
  if (!result.pass()) set_exit_code(kExitCheckFailed);
}

}  // namespace

void add_model(CLI::App& app) {
  const auto options = std::make_shared<ModelCommand>();
  CLI::App* command = app.add_subcommand("model", "Show or verify a model file");
  CLI::App* shown = command->add_subcommand("show", "Print the card of a model file");
  CLI::App* verified =
      command->add_subcommand("verify", "Measure what the card claims; exit 1 if it does not hold");
  for (CLI::App* each : {shown, verified}) {
    each->add_option("file", options->file, "a .safetensors file; show also takes a wrapped .pt")
        ->required();
    each->add_flag("--json", options->json, "print JSON");
  }
  verified->add_option("--seed", options->seed, "of the group elements");
  shown->callback([options] { show(*options); });
  verified->callback([options] { verify(*options); });
}

}  // namespace equiframe::app
